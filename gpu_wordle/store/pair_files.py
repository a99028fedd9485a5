"""Pair files: a survey of all pairs of guesses, and what is known of the totals of the best."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.survey import NO_KEY, Measure, Pairs, Survey, histogram_size
from gpu_wordle.experiments.pairs.totals import PairTable, Totals, least_totals
from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Status
from gpu_wordle.store.contents import Contents, MalformedError, malformed
from gpu_wordle.store.form import PAIR_COLUMNS, PAIRS, SURVEY, column
from gpu_wordle.store.job_files import JobFile
from gpu_wordle.store.provenance import attribute


class PairFile(JobFile):
    """The file of a job over pairs; see experiments/pairs/totals.py.

    Args:
        path: where it is, or is to be.
        survey: what is to be counted; under a constrained rule, all pairs that are legal.
        backend: name of what computes.
        device: what that runs on.
    """

    def __init__(self, path: Path, survey: Survey, backend: str, device: str) -> None:
        super().__init__(path, PAIRS, survey.game.start(), backend, device)
        self._survey = survey
        first = "" if survey.first is None else survey.game.spell([survey.first])[0]
        self.contents.attributes |= {"measure": survey.measure.value, "first": first}

    def load(self) -> PairTable | None:
        """What an earlier run has found; None if there is no file.

        Raises UserError if it is damaged, contradicts itself, or is of another job.
        """
        old = self.read()
        if old is None:
            return None
        self.check_same(old, ("measure", "first"))
        try:
            survey = read_survey(old, self.position.game)
            totals = read_totals(old, survey)
        except MalformedError as error:
            raise malformed(self.path, str(error)) from None
        wrong = contradiction(survey, totals)
        if wrong is None and survey.game.rule.is_constrained:
            wrong = self._not_allowed(survey)
        if wrong is not None:
            raise UserError(f"{self.path}: cannot be true, {wrong}; --fresh replaces it")
        return PairTable(survey, totals)

    def _not_allowed(self, survey: Survey) -> str | None:
        """What is wrong if its pairs are not those that a constrained rule allows."""
        expected, found = set(self._survey.kept), set(survey.kept)
        return None if found == expected else "its pairs are not those that the rule allows"

    def save(self, table: PairTable) -> None:
        """Write the file, which is held, unless nothing is counted; JobError if it cannot be."""
        survey, totals = table.survey, table.totals
        if not len(totals.pairs):
            return
        others = "none" if survey.others == NO_KEY else str(survey.others)
        self.contents.attributes |= {"counted": survey.counted, "others": others}
        columns: dict[str, NDArray[Any]] = {
            "first": totals.pairs.first,
            "second": totals.pairs.second,
            "key": totals.pairs.key,
            "parts": totals.parts,
            "lower": totals.lower,
            "upper": totals.upper,
            "status": totals.status,
        }
        for name, values in columns.items():
            self.contents.datasets[f"pairs/{name}"] = PAIR_COLUMNS[name].dataset(values)
        histogram = SURVEY["histogram"].dataset(survey.histogram)
        self.contents.datasets["survey/histogram"] = histogram
        self.write()


def read_survey(contents: Contents, game: Game) -> Survey:
    """The survey that a file holds; MalformedError for what it lacks."""
    others = attribute(contents, "others", str)
    measure = Measure(attribute(contents, "measure", str))
    first = attribute(contents, "first", str)
    if first and first not in game.words.guesses.index:
        raise MalformedError(f"its first guess {first!r} is not in its list")
    histogram = column(contents, "survey/histogram", SURVEY["histogram"])
    if len(histogram) != histogram_size(game, measure):
        raise MalformedError(f"its histogram has {len(histogram):,} places")
    pairs = Pairs(_pairs(contents, "first"), _pairs(contents, "second"), _pairs(contents, "key"))
    if (pairs.first == pairs.second).any():
        raise MalformedError("its pairs are not two guesses each")
    return Survey(
        game,
        measure,
        game.words.guesses.index[first] if first else None,
        attribute(contents, "counted", int),
        histogram,
        pairs,
        NO_KEY if others == "none" else int(others),
    )


def read_totals(contents: Contents, survey: Survey) -> Totals:
    """What a file says of the totals of its pairs."""
    others = survey.others if survey.measure is Measure.PARTS else -NO_KEY
    return Totals(
        survey.game,
        survey.kept,
        _pairs(contents, "parts"),
        _pairs(contents, "lower"),
        _pairs(contents, "upper"),
        _pairs(contents, "status"),
        others,
    )


def contradiction(survey: Survey, totals: Totals) -> str | None:
    """What in a file cannot be true; None if nothing is seen to be wrong."""
    guesses, pairs, counted = survey.game.guess_count, survey.kept, survey.counted
    if not 0 <= counted <= survey.rows:
        return f"{counted:,} of {survey.rows:,} first guesses are counted"
    count = guesses - 1 if survey.first is not None else 0
    if survey.first is None:
        count = counted * guesses - counted * (counted + 1) // 2
    if survey.pair_count != count and not survey.game.rule.is_constrained:
        return f"it has counted {survey.pair_count:,} pairs where there are {count:,}"
    wrong = _disorder(survey)
    if wrong is not None:
        return wrong
    least = least_totals(survey.game, pairs, totals.parts.astype(np.int64))
    if survey.measure is Measure.PARTS and (pairs.key != least).any():
        return "a key is not the bound by its parts"
    if (totals.lower < least).any() or (totals.lower > totals.upper).any():
        return "bounds cross"
    is_settled = totals.lower == totals.upper
    is_infeasible = is_settled & (totals.upper >= INFEASIBLE)
    expected = np.select([is_infeasible, is_settled], [Status.INFEASIBLE, Status.EXACT], 0)
    if (totals.status != expected).any():
        return "a status does not fit its bounds"
    return None


def _disorder(survey: Survey) -> str | None:
    """What is wrong with the pairs that are kept, or with their order; None if nothing is."""
    game, pairs, first = survey.game, survey.kept, survey.first
    if len(np.unique(pairs.first.astype(np.int64) * game.guess_count + pairs.second)) < len(pairs):
        return "it holds a pair twice"
    if first is not None and (pairs.first != first).any():
        return f"a pair does not begin with {game.spell([first])[0]}"
    is_answer = game.words.answer_of_guess >= 0
    own, other = is_answer[pairs.first], is_answer[pairs.second]
    comes_first = np.where(own == other, pairs.first < pairs.second, own)
    is_unordered = first is None and not game.rule.is_constrained
    if is_unordered and not comes_first.all():
        return "the guesses of a pair are not in their order"
    by_key = np.lexsort((pairs.second, pairs.first, pairs.key))
    if (np.diff(by_key) < 0).any() or pairs.key[-1] > survey.others:
        return "its pairs are not in the order of their keys"
    if (len(pairs) == survey.pair_count) != (survey.others == NO_KEY):
        return f"it keeps {len(pairs):,} of {survey.pair_count:,} pairs, which others denies"
    return None


def _pairs(contents: Contents, name: str) -> NDArray[Any]:
    """A dataset of the pairs."""
    return column(contents, f"pairs/{name}", PAIR_COLUMNS[name])
