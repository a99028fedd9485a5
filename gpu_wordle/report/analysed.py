"""Analysed games as plain values, and as tables and sentences for people."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, TypedDict

from gpu_wordle.errors import counted
from gpu_wordle.experiments.analyse import Analysed, Step
from gpu_wordle.experiments.coach import MEANINGS, Comment, Label, Mark
from gpu_wordle.experiments.intervals import Intervals
from gpu_wordle.experiments.transcripts import Fault
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.spelling import normalise
from gpu_wordle.report import keys
from gpu_wordle.report.figures import first_words, short_means
from gpu_wordle.report.keys import Bar, Key, schema
from gpu_wordle.report.table import FittedTable, columns_of

Exactly = Annotated[str | None, Key("exact value as a fraction: total by answers")]
Most = Annotated[float | None, Key("upper bound; null if there is none")]


@schema
class TurnRow(TypedDict, total=False):
    """A turn of a game."""

    turn: keys.Turn
    guess: keys.Guess
    pattern: keys.Pattern
    answers_before: keys.AnswersBefore
    answers_after: keys.AnswersAfter
    value_before: keys.ValueBefore
    value_best: Annotated[
        float | None,
        Key("value of the best guesses; equals `value_before`", decimals=3, heading="best\nvalue"),
    ]
    value_guess: Annotated[
        float | None,
        Key(
            "value of the guess made; not `guaranteed`, all values are without the guess limit",
            decimals=3,
            heading="its\nvalue",
        ),
    ]
    value_after: Annotated[
        float | None, Key("value after the feedback", decimals=3, heading="value\nafter")
    ]
    regret: Annotated[
        float | None, Key("`value_guess` minus `value_best`", decimals=3, bar=Bar.AMOUNT)
    ]
    luck: Annotated[
        float | None, Key("`value_guess` minus 1 for the guess minus `value_after`", decimals=3)
    ]
    value_before_fraction: Exactly
    value_best_fraction: Exactly
    value_guess_fraction: Exactly
    value_after_fraction: Exactly
    regret_fraction: Annotated[str | None, Key("exact regret: difference of totals by answers")]
    luck_fraction: Annotated[str | None, Key("exact luck as a fraction in lowest terms")]
    guaranteed: keys.Guaranteed
    fault: Annotated[
        str | None,
        Key(f"{', '.join(f'`{fault}`' for fault in Fault)}; null if there is no fault"),
    ]
    optimal_guesses: keys.OptimalGuesses
    rule_guesses: Annotated[
        list[str],
        Key(
            "guesses of greedy strategies, as in `parts:crony`",
            heading="what rules would play",
        ),
    ]
    label: Annotated[
        str | None,
        Key(f"how good the guess was: {', '.join(f'`{label}`' for label in Label)}; null: unknown"),
    ]
    marks: Annotated[
        str | None, Key(f"{', '.join(f'`{mark}`' for mark in Mark)}; null if none fits")
    ]
    coach: Annotated[str, Key("comment on the turn in plain words")]
    remaining: keys.Remaining
    game_number: Annotated[int, Key("number of a game in its file")]
    player: keys.Player
    value_best_lower: Annotated[float | None, Key("lower bound of `value_best`")]
    value_best_upper: Most
    value_guess_lower: Annotated[float | None, Key("lower bound of `value_guess`")]
    value_guess_upper: Most
    value_after_lower: Annotated[float | None, Key("lower bound of `value_after`")]
    value_after_upper: Most
    regret_lower: Annotated[float | None, Key("lower bound of `regret`")]
    regret_upper: Most
    luck_lower: Annotated[float | None, Key("lower bound of `luck`; null if there is none")]
    luck_upper: Most


@schema
class GameFacts(TypedDict):
    """A game as a whole."""

    solved: keys.Solved
    length: Annotated[int, Key("number of guesses made")]
    start_value: keys.StartValue
    total_regret: Annotated[float, Key("sum of the regrets of a game")]
    total_luck: Annotated[float, Key("sum of the luck of a game")]
    skill: keys.Skill
    meanings: Annotated[dict[str, Any], Key("the meaning of each label and mark")]
    ignored: keys.Ignored


@schema
class PlayerRow(TypedDict):
    """The games of a player."""

    player: keys.Player
    games: keys.Games
    solved_games: Annotated[int, Key("games in which the answer was found within the guess limit")]
    turns: Annotated[int, Key("guesses in all games of a player")]
    mean_regret: keys.MeanRegret
    regret_by_turn: keys.RegretByTurn
    mean_luck: keys.MeanLuck
    skill: keys.Skill
    not_guaranteed: Annotated[
        int, Key("turns valued without the guess limit, because a win was not guaranteed")
    ]
    unknown: Annotated[int, Key("guesses that aren't in the word list")]
    illegal: keys.Illegal
    contradictory: Annotated[int, Key("turns whose feedback is impossible")]
    incomplete: Annotated[int, Key("turns and texts in which words or colours are missing")]
    ambiguous: Annotated[int, Key("turns and texts that can be read in two ways")]
    unreadable: Annotated[int, Key("turns and texts that cannot be read for another reason")]


_IMPORTANCE = (
    *("guess", "pattern", "fault", "regret", "luck", "label", "value_best", "value_guess"),
    *("answers_after", "value_after", "optimal_guesses", "answers_before", "guaranteed", "turn"),
    "rule_guesses",
)


def describe_step(step: Step, number: int | None) -> dict[str, Any]:
    """The row of one turn; ``number`` is None for a guess that took no turn."""
    position, words = step.position, step.position.game.words
    word = step.word if step.guess is None else words.guesses.words[step.guess]
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
        "guess": normalise(word),
        "pattern": None if step.pattern is None else words.feedback.format(step.pattern),
        "answers_before": len(position.state),
        "answers_after": step.answers_after,
        **{key: None if value is None else float(value) for key, value in values.items()},
        **{
            f"{key}_fraction": _fraction(value, over.get(key, weight))
            for key, value in values.items()
        },
        "guaranteed": step.is_guaranteed,
        "fault": step.fault and step.fault.value,
    }


def describe_intervals(found: Intervals) -> dict[str, float | None]:
    """Bounds of the values of a turn; None for unknown ones."""
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


def describe_comment(comment: Comment) -> dict[str, str | None]:
    """The label, the marks and the sentences of a turn."""
    return {
        "label": comment.label and comment.label.value,
        "marks": ", ".join(comment.marks) or None,
        "coach": " ".join(comment.sentences),
    }


def describe_left(step: Step) -> dict[str, list[str]]:
    """The answers that are possible after a turn."""
    position = step.position
    if step.guess is None or step.pattern is None:
        return {"remaining": []}
    left = position.game.part(position.state, step.guess, step.pattern)
    return {"remaining": [position.game.words.answers.words[a] for a in left]}


def describe_game(analysed: Analysed) -> list[dict[str, Any]]:
    """A row for each turn of a game."""
    rows, number = [], 0
    for step in analysed.steps:
        number += step.guess is not None
        rows.append(describe_step(step, None if step.guess is None else number))
    return rows


def describe_whole(analysed: Analysed) -> dict[str, Any]:
    """The facts about a game as a whole."""
    skill = analysed.skill
    return {
        "solved": analysed.is_won,
        "length": analysed.length,
        "start_value": None if analysed.start is None else float(analysed.start),
        "total_regret": float(analysed.regret),
        "total_luck": float(analysed.luck),
        "skill": None if skill is None else float(skill),
        "meanings": {name.value: meaning for name, meaning in MEANINGS.items()},
    }


def game_table(rows: Sequence[Mapping[str, Any]]) -> FittedTable:
    """The table of the turns; open values as intervals."""
    shown = [
        {**row, **_intervals(row), "optimal_guesses": _few(row.get("optimal_guesses"))}
        for row in rows
    ]
    columns = [each for each in columns_of(shown) if each.name != "fault" or any(each.values)]
    return FittedTable(columns, _IMPORTANCE)


def comment_line(row: Mapping[str, Any]) -> str:
    """The comment on a turn, after its label and marks."""
    named = ", ".join(filter(None, (row["label"], row["marks"])))
    return f"{named.capitalize()}{': ' if named else ''}{row['coach']}"


def coach_lines(rows: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    """The comment on each turn, after its number."""
    for row in rows:
        yield f"{'-' if row['turn'] is None else row['turn']}. {comment_line(row)}"


def game_sentences(analysed: Analysed) -> list[str]:
    """Sentences that compare the game with best play and report its luck."""
    said = describe_whole(analysed)
    if analysed.is_start_open:
        return ["the value of the start was not found in time"]
    if said["start_value"] is None:
        return ["no strategy is a guaranteed win in this game, so it has no value"]
    best = f"takes {said['start_value']:.3f} guesses"
    took = f"It took {said['length']}"
    if analysed.game.objective.aim is Aim.COST:
        best = f"pays {said['start_value']:.3f}"
        took = f"It paid {sum(step.price for step in analysed.steps if step.guess is not None):,}"
    lines = [f"The best play {best} on average."]
    if analysed.is_start_without_limit:
        lines = [
            "No strategy is a guaranteed win in this game. Without a guess limit, the best play "
            f"{best} on average."
        ]
    illegal = analysed.count(Fault.ILLEGAL)
    if illegal:
        rule = analysed.game.rule
        lines.append(f"{counted(illegal, 'turn')} illegal under the {rule} rule, without a regret.")
    lost = [number for number, step in enumerate(analysed.steps, 1) if step.is_guaranteed is False]
    if lost:
        turns = f"{'turn' if len(lost) == 1 else 'turns'} {', '.join(map(str, lost))}"
        valued = (
            "no values"
            if analysed.steps[lost[0] - 1].value is None
            else ("the values are those without the guess limit")
        )
        lines.append(f"After {turns} a win was not guaranteed: {valued}.")
    elif analysed.is_solved and all(step.regret is not None for step in analysed.steps):
        lines.append(
            f"{took}: {said['total_regret']:.3f} lost by guesses, "
            f"{said['total_luck']:+.3f} won by luck."
        )
    if said["skill"] is not None and not any(step.is_open for step in analysed.steps):
        lines.append(f"Skill {said['skill']:.1%}: the share of avoidable regret that was avoided.")
    return lines


def describe_player(player: str, games: Sequence[Analysed]) -> dict[str, Any]:
    """The row of a player, from exact sums over the games."""
    steps = [step for analysed in games for step in analysed.steps]
    regrets: dict[int, list[Fraction]] = defaultdict(list)
    for analysed in games:
        number = 0
        for step in analysed.steps:
            number += step.guess is not None
            if step.regret is not None:
                regrets[number].append(step.regret)
    every = [regret for known in regrets.values() for regret in known]
    prices = sum(step.price for step in steps if step.regret is not None)
    return {
        "player": player,
        "games": len(games),
        "solved_games": sum(analysed.is_won for analysed in games),
        "turns": sum(analysed.length for analysed in games),
        "mean_regret": _mean(every),
        "regret_by_turn": [_mean(regrets[turn]) for turn in range(1, max(regrets, default=0) + 1)],
        "mean_luck": _mean([analysed.luck for analysed in games]),
        "skill": float(1 - sum(every) / prices) if prices else None,
        "not_guaranteed": sum(step.is_guaranteed is False and not step.fault for step in steps),
        **{fault.value: sum(analysed.count(fault) for analysed in games) for fault in Fault},
    }


def summary_table(rows: Sequence[Mapping[str, Any]]) -> FittedTable:
    """The table of the players."""
    shown = [{**row, "regret_by_turn": short_means(row["regret_by_turn"])} for row in rows]
    importance = (
        *("player", "games", "mean_regret", "skill", "mean_luck", "solved_games", "unknown"),
        *("illegal", "contradictory", "incomplete", "ambiguous", "unreadable", "not_guaranteed"),
        *("turns", "regret_by_turn"),
    )
    return FittedTable(columns_of(shown), importance)


def _fraction(value: Fraction | None, weight: int | None) -> str | None:
    """A fraction over ``weight``, as in ``7920/2315``; else in lowest terms."""
    if value is None:
        return None
    whole = weight if weight and weight % value.denominator == 0 else value.denominator
    return f"{value * whole}/{whole}"


def _intervals(row: Mapping[str, Any]) -> dict[str, str]:
    """The open values of a row as intervals, as text."""
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


def _mean(values: Sequence[Fraction]) -> float | None:
    return float(statistics.mean(values)) if values else None


def _few(words: Sequence[str] | None) -> str | None:
    return None if words is None else first_words(words)
