"""Files of studies: tables of results written as columns, and read back with checks.

form.py declares the columns and the range of each. Here are the checks across columns. Code that
writes or reads a ranking loads none of the studies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.compare import NO_GUESS
from gpu_wordle.experiments.league import PLAYED, SCORED, League, Secrets
from gpu_wordle.experiments.noise.model import LEVEL_UNITS, MAX_FOLLOWED, NoiseModel
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.experiments.noise.theorem import PartBound
from gpu_wordle.experiments.pairs.survey import NO_KEY, Measure, Pairs, Survey, histogram_size
from gpu_wordle.experiments.pairs.totals import PairTable, Totals, check_survey, check_totals
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.game.game import Game, Position
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.store.contents import (
    Contents,
    MalformedError,
    check_figures,
    datasets_of,
    malformed,
    read_columns,
)
from gpu_wordle.store.form import (
    ANALYSIS,
    GAMES,
    LEAGUE,
    MODEL_OPTIONS,
    NOISE,
    NOISE_COLUMNS,
    PAIR_COLUMNS,
    PAIRS,
    SIMULATION,
    SURVEY,
    TURNS,
)
from gpu_wordle.store.hdf5 import check_replaceable, put
from gpu_wordle.store.job_file import Arrays, JobFile
from gpu_wordle.store.league_form import LEAGUE_COLUMNS
from gpu_wordle.store.provenance import OTHER_OUT, attribute, describe, other_job
from gpu_wordle.verify import VerificationError

if TYPE_CHECKING:
    from gpu_wordle.strategies.strategy import Choice

# Simulations: every game of strategies from openers, or their sums, and the figures of each row.


CHOICES = ("choice", "seed", "rules_version")
"""Attributes that say how strategies choose among guesses."""


class SimulationFile(JobFile[Simulations]):
    """The file of a simulation; see JobFile.

    ``strategies`` are the names of the strategies, and ``choice`` is how greedy rules choose a
    guess.
    """

    def __init__(
        self,
        path: Path,
        position: Position,
        strategies: tuple[str, ...],
        choice: Choice,
        backend: str,
        device: str,
    ) -> None:
        from gpu_wordle.strategies.named import RULES_VERSION  # other kinds load no strategies

        told: dict[str, str | int] = {
            "choice": str(choice),
            "seed": choice.seed,
            "rules_version": RULES_VERSION,
        }
        super().__init__(path, SIMULATION, position, backend, device, told)
        self._strategies = strategies

    def _read(self, contents: Contents) -> Simulations:
        simulations = read_simulations(self._path, contents, self._position.game)
        if simulations.turns is None:
            raise UserError(f"{self._path}: holds the sums of games alone; {OTHER_OUT}")
        if simulations.strategies != self._strategies:
            named = (" ".join(names) for names in (simulations.strategies, self._strategies))
            raise other_job(self._path, "strategies", *named)
        return simulations

    def _fill(self, table: Simulations) -> bool:
        self.contents.datasets |= datasets_of("games", GAMES, table)
        return len(table) > 0


def read_simulations(path: Path, contents: Contents, game: Game) -> Simulations:
    """Return the games of a simulation file, or their sums if it holds no more.

    Raises UserError if its figures do not follow from its games.
    """
    columns = read_columns(contents, "games", GAMES)
    simulations = Simulations(
        game,
        tuple(columns["strategies"].tolist()),
        columns["strategy"],
        columns["opener"],
        columns["status"].astype(np.bool_),
        columns.get("turns"),
        columns["exact_total"],
        None if "turns" in columns else columns["distribution"],
    )
    try:
        if len(set(simulations.pairs)) < len(simulations):
            raise MalformedError("some of its rows are of the same strategy and opener")
        if simulations.turns is not None and simulations.turns[~simulations.is_played].any():
            raise MalformedError("it has games of rows that are not played")
        found = simulations.distribution
        if ((found == UNKNOWN).all(axis=1) == simulations.is_played).any() or (
            found[simulations.is_played] < 0
        ).any():
            raise MalformedError("games/distribution is not known of the rows that are played")
        if (simulations.never_found < 0).any():
            raise MalformedError("games/distribution holds more answers than there are")
        if (simulations.exact_total > simulations.total)[simulations.lost == 0].any():
            raise MalformedError("games/exact_total is above games/total, where no answer is lost")
        check_figures("games", GAMES, columns, simulations, "its games")
    except MalformedError as error:
        raise malformed(path, str(error)) from None
    return simulations


# Pairs: a survey of all pairs of guesses, and bounds on the totals of the best.


class PairFile(JobFile[PairTable]):
    """The file of a job over pairs; see JobFile.

    ``survey`` says what to count; under a constrained rule, all legal pairs.
    """

    def __init__(self, path: Path, survey: Survey, backend: str, device: str) -> None:
        first = "" if survey.first is None else survey.game.spell([survey.first])[0]
        told = {"measure": survey.measure.value, "first": first}
        super().__init__(path, PAIRS, survey.game.start(), backend, device, told)
        self._survey = survey

    def _read(self, contents: Contents) -> PairTable:
        table = read_pairs(contents, self._position.game)
        expected, found = set(self._survey.kept), set(table.survey.kept)
        if self._position.game.rule.is_constrained and found != expected:
            raise VerificationError("its pairs are not those that the rule allows")
        return table

    def _fill(self, table: PairTable) -> bool:
        survey, totals = table.survey, table.totals
        others = "none" if survey.others == NO_KEY else str(survey.others)
        self.contents.attributes |= {"counted": survey.counted, "others": others}
        self.contents.datasets |= datasets_of("pairs", PAIR_COLUMNS, totals)
        self.contents.datasets |= datasets_of("survey", SURVEY, survey)
        return len(totals.pairs) > 0


def read_pairs(contents: Contents, game: Game) -> PairTable:
    """Return the pairs of a file.

    Raises MalformedError for missing data, and VerificationError for data that cannot be true.
    """
    others = attribute(contents, "others", str)
    measure = Measure(attribute(contents, "measure", str))
    first = attribute(contents, "first", str)
    if first and first not in game.words.guesses.index:
        raise MalformedError(f"its first guess {first!r} is not in its list")
    histogram = read_columns(contents, "survey", SURVEY)["histogram"]
    if len(histogram) != histogram_size(game, measure):
        raise MalformedError(f"its histogram has {len(histogram):,} places")
    columns = read_columns(contents, "pairs", PAIR_COLUMNS)
    pairs = Pairs(*(columns.pop(name) for name in ("first", "second", "key")))
    if (pairs.first == pairs.second).any():
        raise MalformedError("its pairs are not two guesses each")
    survey = Survey(
        game,
        measure,
        game.words.guesses.index[first] if first else None,
        attribute(contents, "counted", int),
        histogram,
        pairs,
        NO_KEY if others == "none" else int(others),
    )
    bound = survey.others if measure is Measure.PARTS else -NO_KEY
    totals = Totals(game, pairs, **columns, others=bound)
    check_survey(survey)
    check_totals(totals, measure)
    return PairTable(survey, totals)


# Noise experiments: every run at every level


class NoiseFile(JobFile[NoiseTable]):
    """The file of a noise experiment; see JobFile."""

    def __init__(self, path: Path, study: NoiseStudy, backend: str, device: str) -> None:
        super().__init__(path, NOISE, study.game.start(), backend, device, told_of(study))
        self._study = study

    def _read(self, contents: Contents) -> NoiseTable:
        columns = read_columns(contents, "noise", NOISE_COLUMNS)
        levels, asked = columns["level"], self._study.level_units
        if not np.array_equal(levels, asked):
            spelled = (" ".join(f"{u / LEVEL_UNITS:.6%}" for u in each) for each in (levels, asked))
            raise other_job(self._path, "levels", *spelled)
        return _noise_table(columns, self._study)

    def _fill(self, table: NoiseTable) -> bool:
        if table.optimum is None or not table.is_begun:
            return False
        self.contents.attributes["exact_total"] = table.optimum.total
        self.contents.datasets |= datasets_of("noise", NOISE_COLUMNS, table)
        return True


def told_of(study: NoiseStudy) -> dict[str, Any]:
    """Return the opener and the noise model of an experiment as attributes of a file."""
    model = study.model
    words = {name: getattr(model, name).value for name in MODEL_OPTIONS}
    opener = study.game.spell([study.opener])[0]
    return {"opener": opener, "depth": model.depth, "seed": model.seed, **words}


def read_experiment(path: Path, contents: Contents, game: Game) -> tuple[NoiseTable, Optimum]:
    """Return the runs of a noise file, and the optimum that they are compared with.

    ``game`` is the game of the file. Raises UserError if the file contradicts itself.
    """
    columns = read_columns(contents, "noise", NOISE_COLUMNS)
    try:
        study = _noise_study(contents, columns["level"].tolist(), game)
        return _noise_table(columns, study), _optimum(contents, columns, study)
    except (MalformedError, UserError, ValueError) as error:
        raise malformed(path, str(error)) from None


def _noise_study(contents: Contents, units: Sequence[int], game: Game) -> NoiseStudy:
    """Return the experiment of a file; MalformedError, ValueError or UserError if it is none."""
    words = {name: attribute(contents, name, str) for name in MODEL_OPTIONS}
    options: dict[str, Any] = {name: kind(words[name]) for name, kind in MODEL_OPTIONS.items()}
    depth, seed = (int(contents.attributes[name]) for name in ("depth", "seed"))
    model = NoiseModel(depth=depth, seed=seed, **options)
    opener = game.words.guesses.find(str(contents.attributes["opener"]))
    levels = tuple(Fraction(unit, LEVEL_UNITS) for unit in units)
    if list(levels) != sorted(set(levels)):
        raise MalformedError("its levels are not in their order")
    for level in levels:
        model.check(level)
    return NoiseStudy(game, model, opener, levels)


def _noise_table(columns: Arrays, study: NoiseStudy) -> NoiseTable:
    """Return the runs of a file; MalformedError for data that cannot be true."""
    sizes = np.array([len(position.state) for position in study.positions], np.int64)
    if not np.array_equal(columns["state_answers"], sizes):
        raise MalformedError("its states are not those that the opener leaves")
    searched, followed = (columns[name].astype(np.bool_) for name in ("searched", "followed"))
    distribution = columns["distribution"]
    expected = (searched @ sizes + study.opener_found[1])[:, np.newaxis]
    if (distribution.sum(axis=2) != expected).any():
        raise MalformedError("a distribution does not add up to the answers")
    names = ("departure_numerator", "departure_denominator")
    departure: list[Fraction | None] = []
    for above, below in zip(*(columns[name].tolist() for name in names), strict=True):
        if (above <= 0 or below <= 0) and above != below:
            raise MalformedError("a departure is no level")
        departure.append(None if below == 0 else Fraction(above, below))
    if any(level is not None and level > MAX_FOLLOWED for level in departure):
        raise MalformedError("a departure is above those that are looked for")
    table = NoiseTable(study, searched, followed, distribution, departure)
    check_figures("noise", NOISE_COLUMNS, columns, table, "its runs")
    return table


def _optimum(contents: Contents, columns: Arrays, study: NoiseStudy) -> Optimum:
    """Return the optimum that runs are compared with.

    Raises MalformedError for data that cannot be true.
    """
    names = ("state_answers", "state_weight", "state_slack")
    terms = zip(*(columns[name].tolist() for name in names), strict=True)
    turns = columns["optimal"]
    optimum = Optimum(np.concatenate([[0], turns]), [PartBound(*each) for each in terms])
    told = study.game.answer_count, contents.attributes["exact_total"]
    if (turns.sum(), optimum.total) != told:
        raise MalformedError("the optimum does not add up")
    return optimum


# Leagues: the games of players over the same secrets, and the regret of each turn.


class LeagueFile(JobFile[League]):
    """The file of a league; see JobFile. It may hold further players."""

    def __init__(
        self, path: Path, position: Position, secrets: Secrets, backend: str, device: str
    ) -> None:
        from gpu_wordle.strategies.named import RULES_VERSION  # other kinds load no strategies

        told: dict[str, str | int] = {
            "split": secrets.split,
            "seed": secrets.seed,
            "games": len(secrets),
            "exact_total": secrets.exact_total,
            "rules_version": RULES_VERSION,
        }
        super().__init__(path, LEAGUE, position, backend, device, told)
        self._secrets = secrets

    def _read(self, contents: Contents) -> League:
        league = read_league(self._path, contents, self._position.game)
        for name in ("answer", "depth", "stratum", "population"):
            held, asked = (getattr(each, name) for each in (league.secrets, self._secrets))
            if not np.array_equal(held, asked):
                raise VerificationError("its secrets are not those of its seed")
        return league

    def _fill(self, table: League) -> bool:
        self.contents.datasets |= datasets_of("league", LEAGUE_COLUMNS, table)
        return bool(table.status.any())


def read_league(path: Path, contents: Contents, game: Game) -> League:
    """Return the league of a file; UserError if its games cannot be games."""
    columns = read_columns(contents, "league", LEAGUE_COLUMNS)
    secrets = Secrets(
        str(contents.attributes["split"]),
        int(contents.attributes["seed"]),
        columns.pop("secrets"),
        columns.pop("depth"),
        columns.pop("strata"),
        columns.pop("population"),
        int(contents.attributes["exact_total"]),
    )
    league = League(game, secrets, tuple(columns.pop("players").tolist()), **columns)
    drawn = np.bincount(secrets.stratum, minlength=len(secrets.population))
    is_turn, is_scored = league.guesses != NO_GUESS, league.status == SCORED
    is_known = is_turn & is_scored[:, :, np.newaxis]
    checks = {
        "it has a secret or a player twice": len({*secrets.answer.tolist()}) == len(secrets)
        and len({*league.players}) == len(league.players),
        "its secrets are not drawn from its strata": len(secrets) == contents.attributes["games"]
        and ((drawn >= 1) & (drawn <= secrets.population)).all(),
        "it has guesses after the end of a game": (is_turn[:, :, 1:] <= is_turn[:, :, :-1]).all()
        and (league.status >= PLAYED)[is_turn.any(axis=2)].all(),
        "its regrets and luck are not of scored games": (~np.isnan(league.regret) == is_known).all()
        and (~np.isnan(league.luck) == is_scored).all(),
    }
    for wrong, fits in checks.items():
        if not fits:
            raise malformed(path, wrong)
    return league


# Analyses: the turns of many games, with a column for each key of their rows.

_MISSING: dict[str, Any] = {"U": "", "i": -1, "f": np.nan}
"""The value that stands for an unknown one, by the kind of its column."""

_ALWAYS_KNOWN = {"player", "guess"}
"""Columns in which an empty text is a value, not an unknown one."""


def save_analysis(path: Path, game: Game, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of turns, whole or not at all; UserError if there are none.

    Also raises UserError if the file holds something else, and JobError if it cannot be written.
    """
    if not rows:
        raise UserError(f"{path}: not written, for no turn was analysed")
    check_replaceable(path, ANALYSIS)
    contents = describe(game, ANALYSIS, "cpu", "")
    for name, column in TURNS.items():
        missing = _MISSING[np.dtype(column.dtype).kind]
        values = [missing if row[name] is None else row[name] for row in rows]
        contents.datasets[f"turns/{name}"] = column.dataset(np.array(values, column.dtype))
    with held(path, PATIENCE_SECONDS) as holding:
        put(holding, contents)


def read_analysis(contents: Contents) -> list[dict[str, Any]]:
    """Return the rows of a file of turns. Unknown values are None."""
    columns = {}
    for name in TURNS:
        if f"turns/{name}" not in contents.datasets:
            continue  # files of earlier builds have no comments
        values = contents.values(f"turns/{name}")
        missing = _MISSING[values.dtype.kind]
        columns[name] = [
            None if (v == missing or v != v) and name not in _ALWAYS_KNOWN else v
            for v in values.tolist()
        ]
    if "guaranteed" in columns:
        columns["guaranteed"] = [v if v is None else bool(v) for v in columns["guaranteed"]]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
