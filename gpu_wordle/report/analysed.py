"""Analysed games as plain values, and as tables and sentences for people."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gpu_wordle.errors import counted
from gpu_wordle.experiments.analyse import Analysed, Fault, Step
from gpu_wordle.experiments.charts import Consistent
from gpu_wordle.experiments.intervals import Intervals
from gpu_wordle.game.game import Game
from gpu_wordle.game.spelling import normalise
from gpu_wordle.report.figures import first_words
from gpu_wordle.report.table import Column, FittedTable

_IMPORTANCE = (
    *("guess", "pattern", "fault", "regret", "luck", "value_best", "value_guess"),
    *("answers_after", "value_after", "optimal_guesses", "answers_before", "guaranteed", "turn"),
    "rule_guesses",
)
_DECIMALS = dict.fromkeys(
    ("value_before", "value_best", "value_guess", "value_after", "regret", "luck"), 3
)
_HEADINGS = {
    "pattern": "colours",
    "answers_before": "answers\nbefore",
    "answers_after": "answers\nafter",
    "value_best": "best\nvalue",
    "value_guess": "its\nvalue",
    "value_after": "value\nafter",
    "optimal_guesses": "best guesses",
    "rule_guesses": "what rules would play",
    "guaranteed": "sure\nto win",
}


def describe_step(step: Step, number: int | None) -> dict[str, Any]:
    """One turn; ``number`` is None of a guess that took no turn. What is not known is None."""
    position, feedback = step.position, step.position.game.words.feedback
    weight = int(position.game.objective.weights_of(position.state).sum())
    values = {
        "value_before": step.value,
        "value_best": step.value,
        "value_guess": step.value_guess,
        "value_after": step.value_after,
        "regret": step.regret,
        "luck": step.luck,
    }
    after = None
    if step.pattern is not None and step.guess is not None:
        left = position.game.part(position.state, step.guess, step.pattern)
        after = int(position.game.objective.weights_of(left).sum())
    over = {"value_after": after, "luck": None}
    return {
        "turn": number,
        "guess": normalise(step.word),
        "pattern": None if step.pattern is None else feedback.format(step.pattern),
        "answers_before": len(position.state),
        "answers_after": step.answers_after,
        **{key: None if value is None else float(value) for key, value in values.items()},
        **{
            f"{key}_fraction": _fraction(value, over.get(key, weight))
            for key, value in values.items()
        },
        "guaranteed": None if step.is_open or step.guess is None else step.value_guess is not None,
        "fault": step.fault and step.fault.value,
    }


def describe_intervals(found: Intervals) -> dict[str, float | None]:
    """Bounds on the values of a turn; what is not known is None."""
    named = {
        "value_best": found.best,
        "value_guess": found.guess,
        "value_after": found.after,
        "regret": found.regret,
        "luck": found.luck,
    }
    return {
        f"{key}_{end}": None if bound is None else float(bound)
        for key, bounds in named.items()
        for end, bound in zip(("lower", "upper"), bounds, strict=True)
    }


def describe_game(analysed: Analysed) -> list[dict[str, Any]]:
    """The turns of a game."""
    rows, number = [], 0
    for step in analysed.steps:
        number += step.guess is not None
        rows.append(describe_step(step, None if step.guess is None else number))
    return rows


def describe_whole(analysed: Analysed) -> dict[str, Any]:
    """What is said of a game as a whole."""
    skill = analysed.skill
    return {
        "solved": analysed.is_solved,
        "length": analysed.length,
        "start_value": None if analysed.start is None else float(analysed.start),
        "total_regret": float(analysed.regret),
        "total_luck": float(analysed.luck),
        "skill": None if skill is None else float(skill),
    }


def game_table(rows: Sequence[Mapping[str, Any]]) -> FittedTable:
    """The turns for people; an interval where a value is open."""
    shown = [
        {**row, **_intervals(row), "optimal_guesses": _few(row.get("optimal_guesses"))}
        for row in rows
    ]
    columns = [
        Column(key, [row[key] for row in shown], _DECIMALS.get(key, 0), _HEADINGS.get(key))
        for key in shown[0]
        if key in _IMPORTANCE and (key != "fault" or any(row[key] for row in rows))
    ]
    return FittedTable(columns, _IMPORTANCE)


def game_sentences(analysed: Analysed) -> list[str]:
    """The game in words: how it compares with the best play, and what was luck."""
    said = describe_whole(analysed)
    if analysed.is_start_open:
        return ["the value of the start was not found in time"]
    if said["start_value"] is None:
        return ["no strategy is sure to win this game in time, so that it has no value"]
    lines = [f"The best play takes {said['start_value']:.3f} guesses on average."]
    illegal = analysed.count(Fault.ILLEGAL)
    if illegal:
        rule = analysed.game.rule
        lines.append(f"{counted(illegal, 'turn')} illegal under the {rule} rule, without a regret.")
    unknown = [step for step in analysed.steps if step.regret is None or step.luck is None]
    unvalued = sum(step.fault is None and not step.is_open for step in unknown)
    if unvalued:
        lines.append(
            f"{counted(unvalued, 'turn')} without a value: the game could not surely be won in "
            "time any more; --max-guesses 0 values all positions."
        )
    if analysed.is_solved and not unknown:
        lines.append(
            f"It took {said['length']}: {said['total_regret']:.3f} lost by guesses, "
            f"{said['total_luck']:+.3f} won by luck."
        )
    if said["skill"] is not None and not any(step.is_open for step in analysed.steps):
        lines.append(f"Skill {said['skill']:.1%}: the share of what could be avoided that was.")
    return lines


@dataclass
class Summary:
    """What the games of one player come to; sums are exact.

    Attributes:
        games: how many there are.
        solved: those in which the answer was found.
        turns: guesses that counted.
        skilled: the turns of which the regret is known, each by its price.
        regrets: the regrets of each turn, by its number.
        luck: the sum over turns where it is known.
        faults: turns with each fault.
    """

    games: int = 0
    solved: int = 0
    turns: int = 0
    skilled: int = 0
    regrets: defaultdict[int, list[Fraction]] = field(default_factory=lambda: defaultdict(list))
    luck: Fraction = Fraction(0)
    faults: dict[Fault, int] = field(default_factory=lambda: dict.fromkeys(Fault, 0))

    def add(self, analysed: Analysed) -> None:
        """Take in a game."""
        self.games += 1
        self.solved += analysed.is_solved
        self.luck += analysed.luck
        for fault in Fault:
            self.faults[fault] += analysed.count(fault)
        number = 0
        for step in analysed.steps:
            number += step.guess is not None
            self.turns += step.guess is not None
            if step.regret is not None:
                self.regrets[number].append(step.regret)
                self.skilled += step.price

    def describe(self, player: str) -> dict[str, Any]:
        """One row."""
        every = [regret for regrets in self.regrets.values() for regret in regrets]
        by_turn = [self.regrets[turn] for turn in range(1, max(self.regrets, default=0) + 1)]
        return {
            "player": player,
            "games": self.games,
            "solved_games": self.solved,
            "turns": self.turns,
            "mean_regret": _mean(every),
            "regret_by_turn": [_mean(regrets) for regrets in by_turn],
            "mean_luck": float(self.luck / self.games) if self.games else None,
            "skill": float(1 - sum(every) / self.skilled) if self.skilled else None,
            "unvalued": self.turns - len(every) - self.faults[Fault.ILLEGAL]
            - self.faults[Fault.CONTRADICTORY],
            **{fault.value: number for fault, number in self.faults.items()},
        }  # fmt: skip


def summary_table(rows: Sequence[Mapping[str, Any]]) -> FittedTable:
    """Players side by side, for people."""
    decimals = {"mean_regret": 4, "mean_luck": 3, "skill": 4}
    shown = [
        {**row, "regret_by_turn": " ".join(map(_short, row["regret_by_turn"]))} for row in rows
    ]
    columns = [Column(key, [row[key] for row in shown], decimals.get(key, 0)) for key in shown[0]]
    importance = (
        *("player", "games", "mean_regret", "skill", "mean_luck", "solved_games", "unknown"),
        *("illegal", "contradictory", "unvalued", "turns", "regret_by_turn"),
    )
    return FittedTable(columns, importance)


def chart_rows(game: Game, found: Consistent, top: int | None) -> list[dict[str, Any]]:
    """The openers that agree with a chart, and how many answers each leaves."""
    pairs = zip(game.spell(found.openers[:top]), found.left[:top].tolist(), strict=True)
    return [{"opener": word, "answers_left": left} for word, left in pairs]


def chart_answer(game: Game, found: Consistent) -> dict[str, Any]:
    """What a chart says on the whole."""
    return {
        "openers": len(found.openers),
        "consistent_games": str(found.games),
        "remaining": [game.words.answers.words[a] for a in found.answers],
    }


def _fraction(value: Fraction | None, weight: int | None) -> str | None:
    """A total by the answers that it is over, as in ``7920/2315``; in lowest terms without them."""
    if value is None:
        return None
    if not weight or weight % value.denominator:
        return f"{value.numerator}/{value.denominator}"
    return f"{value * weight}/{weight}"


def _intervals(row: Mapping[str, Any]) -> dict[str, str]:
    """What is open in a row and bounded, as text."""
    bounds = {
        key: (row.get(f"{key}_lower"), row.get(f"{key}_upper"))
        for key in ("value_best", "value_guess", "value_after", "regret", "luck")
        if row[key] is None
    }
    return {
        key: "[{}, {}]".format(*("?" if end is None else f"{end:.3f}" for end in ends))
        for key, ends in bounds.items()
        if ends != (None, None)
    }


def _mean(values: Iterable[Fraction]) -> float | None:
    listed = list(values)
    return float(sum(listed, Fraction(0)) / len(listed)) if listed else None


def _few(words: Sequence[str] | None) -> str | None:
    return None if words is None else first_words(words)


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
