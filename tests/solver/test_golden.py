"""Golden files: values, bounds, trees and counters of one thread, question by question.

They hold what a rebuilding must not change. ``pytest FILE --update-golden`` with this file writes
them anew; a change of a value is a defect, one of a counter has to be explained in the changelog.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpu_wordle.backends import load_game
from gpu_wordle.game import games
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import Weights
from gpu_wordle.solver import Solver, SolveResult, Stop, TranspositionTable, open_solver
from gpu_wordle.solver.wide import WideEngine
from gpu_wordle.verify import Verifier
from support import ROOT
from support.solver_games import family_game, game_of_equal_candidates, random_game, small_solver

FOLDER = ROOT / "tests" / "golden"
TABLE_BYTES = 1 << 24
OBJECTIVES = ("mean", "mean,worst", "worst", "within:3", "fewest-failures", "cost:1,2,4,8,9,30")
Row = dict[str, Any]


def ask(
    solver: Solver,
    history: str = "",
    opener: str | None = None,
    *,
    replayed: bool = True,
    **options: Any,
) -> Row:
    """A question to a solver, and everything that it finds out."""
    game = solver.game
    position = game.position_after(history)
    guess = None if opener is None else game.words.guesses.find(opener)
    result = solver.solve(
        position,
        guess,
        tree=True,
        **options,
    )
    row = {"state": history, "guess": opener, **options, **described(result)}
    if result.tree is not None and replayed:
        verdict = Verifier(game.words, game.objective).check(
            result.tree, position.state, rule=game.rule, turns=position.turns, claimed=result.upper
        )
        row["distribution"] = verdict.distribution.tolist()
    return row


def described(result: SolveResult) -> Row:
    """All that must stay as it is of a result."""
    row: Row = {"lower": result.lower, "upper": result.upper, "worst": result.worst}
    if result.tree is not None:
        columns = (result.tree.guess, result.tree.parent, result.tree.pattern)
        row["height"] = result.tree.height
        row["tree"] = hashlib.sha256(b"".join(c.tobytes() for c in columns)).hexdigest()[:16]
    work = result.stats
    row["work"] = [work.expanded, work.generated, work.pruned, work.table_hits]
    return row


def fresh(game: Game) -> Solver:
    return open_solver(game, TranspositionTable(TABLE_BYTES))


def bound(solver: Solver, opener: str, cutoff: int) -> Row:
    """One-ply bounds of an opener."""
    game = solver.game
    found = solver.bound(game.start(), game.words.guesses.find(opener), cutoff)
    return {"guess": opener, "cutoff": cutoff, "bounds": [int(value) for value in found]}


def with_objective(game: Game, name: str, limit: int | None = 6) -> Game:
    weights = game.objective.weights
    if name.startswith("cost"):
        objective = Objective.parse(name, ...)
    else:
        objective = Objective.parse(name, limit)
    return replace(game, objective=replace(objective, weights=weights))


def weighted(game: Game, seed: int, most: int) -> Game:
    drawn = np.random.default_rng(seed).integers(1, most, game.answer_count)
    weights = Weights(tuple(drawn.tolist()))
    return replace(game, objective=replace(game.objective, weights=weights))


def original_game() -> Iterator[Row]:
    """The original lists, one solver for many openers, so that what it keeps is used."""
    solver = fresh(load_game("original"))
    for word in ("salet", "rhone", "docus", "brook", "slate", "crane"):
        yield ask(solver, opener=word)
    for word in ("qajaq", "fuzzy", "trace"):
        yield bound(solver, word, 8000)
        yield ask(solver, opener=word, cutoff=7921)
    yield ask(solver, opener="immix", budget=200)
    for history in ("salet BYBBG", "crane BBBBB", "fuzzy BBBBB doing BBYBB", "slate BBBBB"):
        yield ask(solver, history)
        yield ask(solver, history, opener="crony")


def original_rules() -> Iterator[Row]:
    """The original lists under the other rules."""
    game = load_game("original")
    for rule, openers in (
        (Rule.HARD, ("salet", "crane", "brook", "slate")),
        (Rule.ULTRA_HARD, ("salet", "raise")),
        (Rule.CANDIDATES, ("raise", "slate", "salet")),
    ):
        solver = fresh(replace(game, rule=rule))
        for word in openers:
            yield {"rule": rule.value, **ask(solver, opener=word)}
        for history in ("salet BYBBG", "crane BBBBB pilot BYBBB"):
            yield {"rule": rule.value, **ask(solver, history)}
        yield {"rule": rule.value, **bound(solver, "trace", 8200)}


def original_objectives() -> Iterator[Row]:
    """The original lists under the other objectives, limits and weights."""
    game = load_game("original")
    for name, limit in (
        ("mean,worst", 6), ("worst", 6), ("within:4", 6), ("fewest-failures", 4), ("mean", 5),
        ("mean", None), ("cost:1,2,4,8,9,30", 6),
    ):  # fmt: skip
        solver = fresh(with_objective(game, name, limit))
        yield {"objective": name, "limit": limit, **ask(solver, opener="salet")}
        yield {"objective": name, "limit": limit, **ask(solver, "salet BYBBB")}
    for most in (20, 100_000):
        solver = fresh(weighted(game, 7, most))
        yield {"weights": most, **ask(solver, opener="salet")}
    hard = replace(with_objective(game, "fewest-failures"), rule=Rule.HARD)
    yield {"rule": "hard", "objective": "fewest-failures", **ask(fresh(hard), opener="slate")}


def small_games() -> Iterator[Row]:
    """Random small games under every rule, objective and limit, with small tables and rings."""
    rng = np.random.default_rng(20261122)
    for number in range(48):
        rule = tuple(Rule)[number % 4]
        draw = (random_game, family_game)[number // 4 % 2]
        game = draw(rng, rule=rule)
        if number % 3 == 2:
            game = weighted(game, number, 50)
        for name in OBJECTIVES:
            for limit in (None, 6, 4, 3):
                if (limit is None and name in ("within:3", "fewest-failures")) or (
                    limit != 6 and name.startswith("cost")
                ):
                    continue
                played = with_objective(game, name, limit)
                few = None if rule.is_constrained else number % 5 or None
                in_slices = rule.is_constrained and number % 2 > 0
                solver = small_solver(played, few=few, in_slices=in_slices)
                row = ask(solver)
                again = ask(solver, opener=played.words.guesses.words[-1])
                yield {
                    "game": number, "rule": rule.value, "objective": name, "limit": limit,
                    "best": row, "last": again,
                }  # fmt: skip


def other_games() -> Iterator[Row]:
    """Games of arbitrary feedback, of pegs, and of more parts than a byte can number."""
    rng = np.random.default_rng(5)
    for number in range(12):
        solver = small_solver(game_of_equal_candidates(rng), few=2)
        yield {"game": number, **ask(solver, replayed=False)}  # its feedback is not by letters
    solver = fresh(games.mastermind(4, 5))
    yield ask(solver, opener="1123")
    for rule in (Rule.NORMAL, Rule.HARD, Rule.CANDIDATES):
        for labels in (4, 8):
            game = random_game(rng, most_answers=40, most_guesses=60, lengths=(4, 5), rule=rule)
            wide = Solver(WideEngine(game, TranspositionTable(1 << 18), Stop(), labels=labels))
            yield {"rule": rule.value, "labels": labels, **ask(wide)}
            yield {
                "rule": rule.value, "labels": labels,
                **ask(wide, opener=game.words.guesses.words[0]),
            }  # fmt: skip


SUITES = {
    suite.__name__: suite
    for suite in (original_game, original_rules, original_objectives, small_games, other_games)
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name.endswith(("rules", "objectives")) else ())
        for name in SUITES
    ],
)
def test_nothing_has_changed(name: str, request: pytest.FixtureRequest) -> None:
    found = list(SUITES[name]())
    file = FOLDER / f"{name}.json"
    if request.config.getoption("--update-golden"):
        file.write_text("[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n")
    expected = json.loads(file.read_text())
    assert len(found) == len(expected)
    for row, golden in zip(found, expected, strict=True):
        assert row == golden
