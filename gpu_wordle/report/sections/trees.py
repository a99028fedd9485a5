"""Strategies: their results, and every guess."""

from __future__ import annotations

from gpu_wordle.errors import UserError
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.check import check_from
from gpu_wordle.report.content import Figures, Section, Strategy
from gpu_wordle.report.figures import Figures as Values
from gpu_wordle.report.plots import draw_games
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.store.tree_files import read_tree
from gpu_wordle.verify import Verdict, VerificationError

FIGURES = Figures({"games": "Answers found on each turn"})


def replayed(source: Source) -> tuple[DecisionTree, Verdict]:
    """The strategy in a file, and its replay result; UserError if it is not valid."""
    stored = read_tree(source.path, source.contents, source.game)
    try:
        verdict = check_from(source.position, stored.tree, claimed=stored.value)
    except VerificationError as error:
        raise UserError(f"{source.path}: cannot be true, {error}; choose another file") from None
    return stored.tree, verdict


def tree_sections(source: Source) -> list[Section]:
    """The sections on a strategy, which is replayed first."""
    position, game = source.position, source.game
    tree, verdict = replayed(source)
    opener = capitals(game.words.guesses.words[int(tree.guess[0])])
    facts = {
        **source.asked,
        "opener": opener,
        "answers covered": f"{verdict.answers:,}",
        "value": Values.of(game, position).sentence(verdict.value),
        "worst case": str(verdict.worst),
        "guesses in the tree": f"{len(tree):,}",
    }
    counts = verdict.distribution.tolist()
    picture = FIGURES.picture(
        "games",
        lambda: draw_games([opener], [counts], "How soon the answers are found"),
        [Column("turn", list(range(1, len(counts) + 1))), Column("answers", counts)],
    )
    return [
        Section("Overview", [facts, picture]),
        Section("The strategy", [Strategy(tree, position)]),
    ]
