"""Strategies: what they come to, and every guess of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import Facts, Picture, Section, Strategy
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.sections.source import Kind, Source
from gpu_wordle.report.table import Column
from gpu_wordle.store.form import TREE
from gpu_wordle.store.tree_files import StoredTree, read_tree
from gpu_wordle.verify import Verdict, VerificationError, Verifier

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES = {"games": "Answers found on each turn"}


def tree_sections(source: Source) -> list[Section]:
    """What a report says of a strategy, which is replayed first."""
    stored = read_tree(source.path, source.contents, source.game)
    position = source.position
    verdict = _seen(source, stored, position)
    opener = position.game.words.guesses.words[int(stored.tree.guess[0])]
    facts = {
        **source.asked,
        "opener": capitals(opener),
        "answers that it is for": f"{verdict.answers:,}",
        "value": Figures.of(position.game, position).sentence(verdict.value),
        "worst case": str(verdict.worst),
        "guesses in the tree": f"{len(stored.tree):,}",
    }
    counts = verdict.distribution.tolist()

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_games

        return draw_games([capitals(opener)], [counts], "How soon the answers are found")

    turns = [Column("turn", list(range(1, len(counts) + 1))), Column("answers", counts)]
    picture: Picture = TREES.picture("games", draw, turns)
    return [
        Section("Overview", [Facts(facts), picture]),
        Section("The strategy", [Strategy(stored.tree, position)]),
    ]


def _seen(source: Source, stored: StoredTree, position: Position) -> Verdict:
    """What the strategy was seen to do; UserError if that is not what its file says."""
    game = position.game
    try:
        return Verifier(game.words, game.objective).check(
            stored.tree, position.state, rule=game.rule, turns=position.turns, claimed=stored.value
        )
    except VerificationError as error:
        raise UserError(f"{source.path}: cannot be true, {error}; choose another file") from None


TREES = Kind(TREE, FIGURES, tree_sections)
