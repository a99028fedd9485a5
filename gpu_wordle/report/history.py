"""The history of a player: games by turn, streaks, skill and luck with their errors, and habits.

It is made from rows of turns, as ``analyse`` writes them, and from share grids without words.
Terminal, reports, Python and the page all ask here.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Annotated, Any, TypedDict

from rich.console import RenderableType

from gpu_wordle.errors import counted
from gpu_wordle.experiments.transcripts import UNREAD, Chart, Fault
from gpu_wordle.game.game import Game
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema
from gpu_wordle.report.table import Column, FittedTable

MAX_NAMED_GAMES = 5
"""Number of best games, of luckiest games, and of openers that are named."""

MIN_ALIKE = 3
"""Least number of answers, alike but for one letter, that make a trap of the hard rule."""

REPEATED, TRAP, OPENER = "repeated letters", "hard-mode trap", "opener"
"""The habits: a letter twice in a guess; one of many like answers tried; an opener, by its word."""

BAR_WIDTH = 40

Turns = Sequence[Mapping[str, Any]]


@schema
class HistoryRow(TypedDict):
    """The history of a player."""

    player: keys.Player
    played_games: Annotated[int, Key("games of a player, with share grids")]
    faulty_games: Annotated[int, Key("games that cannot be read to their end; left out")]
    unfinished_games: Annotated[int, Key("games without an end; left out of turns and streaks")]
    solved_on_turn: Annotated[list[int], Key("games solved on turn 1, 2, ...")]
    lost_games: Annotated[int, Key("games in which the answer was not found in time")]
    streak: Annotated[int, Key("solved games since the last one that was lost")]
    longest_streak: Annotated[int, Key("most solved games in a row")]
    valued_games: Annotated[int, Key("games with words, of which skill and luck are means")]
    skill_mean: Annotated[float | None, Key("mean skill of a game", decimals=4)]
    skill_error: Annotated[float | None, Key("standard error of `skill_mean`", decimals=4)]
    luck_mean: Annotated[float | None, Key("mean luck of a valued game", decimals=4)]
    luck_error: Annotated[float | None, Key("standard error of `luck_mean`", decimals=4)]
    habits: Annotated[
        dict[str, Any],
        Key(
            "habits, costliest first: `turns`, `regret` in all, `mean_regret` of a turn with its "
            "standard error `regret_error`, and `others_regret`, the mean of other turns"
        ),
    ]
    best_games: Annotated[list[int], Key("numbers of the solved games with the most skill")]
    luckiest_games: Annotated[list[int], Key("numbers of the games with the most luck")]
    game_numbers: Annotated[list[int], Key("number of each game, in order")]
    turns_by_game: Annotated[list[int | None], Key("turns of each solved game; null for others")]
    skill_by_game: Annotated[list[float | None], Key("skill of each game")]
    luck_by_game: Annotated[list[float | None], Key("luck of each game")]


@schema
class HistoryFacts(TypedDict):
    """The games of a history."""

    analysed_games: Annotated[int, Key("games that are part of the history")]
    given_games: Annotated[int, Key("games that were given")]


@dataclass(frozen=True)
class Turn:
    """A turn of a game with words, as far as it is known.

    Attributes:
        number: its number in the game.
        guess: the guess.
        regret: what it cost beside the best guess.
        has_repeat: whether a letter occurs twice in it.
        is_trapped: whether it tries one of several answers alike but for one letter, at a cost.
    """

    number: int
    guess: str
    regret: Fraction
    has_repeat: bool
    is_trapped: bool


@dataclass(frozen=True)
class Played:
    """A game.

    Attributes:
        number: its number.
        guesses: its guesses; empty for a share grid.
        length: number of turns.
        is_found: whether the last turn found the answer.
        is_faulty: whether it cannot be read to its end.
        turns: the turns of known regret.
        skill: 1 - regret / price of these turns; None without any.
        luck: sum of its known luck; None if no turn has any.
    """

    number: int
    guesses: tuple[str, ...]
    length: int
    is_found: bool
    is_faulty: bool = False
    turns: tuple[Turn, ...] = ()
    skill: Fraction | None = None
    luck: Fraction | None = None


@dataclass
class History:
    """The games of one player, in order.

    Attributes:
        player: the name of the player.
        limit: the guess limit; None for no limit.
        games: the games.
    """

    player: str
    limit: int | None
    games: list[Played] = field(default_factory=list)

    def is_solved(self, game: Played) -> bool:
        """Whether the answer was found in time."""
        return game.is_found and (self.limit is None or game.length <= self.limit)

    @cached_property
    def finished(self) -> list[Played]:
        """The games that were solved or lost."""
        return [
            game
            for game in self.games
            if not game.is_faulty
            and (game.is_found or (self.limit is not None and game.length >= self.limit))
        ]

    @cached_property
    def habits(self) -> dict[str, dict[str, Any]]:
        """The habits, costliest first."""
        turns = [turn for game in self.games for turn in game.turns]
        first = [turn for turn in turns if turn.number == 1]
        found = {
            f"{OPENER} {word}": _habit(first, [turn.guess == word for turn in first])
            for word in dict.fromkeys(turn.guess for turn in first)
        }
        named = sorted(found, key=lambda name: -found[name]["regret"])[:MAX_NAMED_GAMES]
        costs = {name: found[name] for name in named}
        costs[REPEATED] = _habit(turns, [turn.has_repeat for turn in turns])
        costs[TRAP] = _habit(turns, [turn.is_trapped for turn in turns])
        made = [name for name in costs if costs[name]["turns"]]
        return {name: costs[name] for name in sorted(made, key=lambda each: -costs[each]["regret"])}

    @cached_property
    def best(self) -> list[Played]:
        """The solved games with the most skill, short ones first among equals."""
        found = [game for game in self.finished if self.is_solved(game) and game.skill is not None]
        return sorted(found, key=lambda game: (-(game.skill or 0), game.length))[:MAX_NAMED_GAMES]

    @cached_property
    def luckiest(self) -> list[Played]:
        """The games with the most luck."""
        found = [game for game in self.finished if game.luck is not None]
        return sorted(found, key=lambda game: -(game.luck or 0))[:MAX_NAMED_GAMES]

    @cached_property
    def row(self) -> dict[str, Any]:
        """The row of the player, a HistoryRow."""
        solved = [self.is_solved(game) for game in self.finished]
        streak, longest = _streaks(solved)
        skill, luck = ([getattr(game, name) for game in self.games] for name in ("skill", "luck"))
        faulty = sum(game.is_faulty for game in self.games)
        turns = {game.number: game.length for game in self.finished if self.is_solved(game)}
        lengths = list(turns.values())
        return {
            "player": self.player,
            "played_games": len(self.games),
            "faulty_games": faulty,
            "unfinished_games": len(self.games) - len(self.finished) - faulty,
            "solved_on_turn": [
                lengths.count(turn) for turn in range(1, max([self.limit or 0, *lengths]) + 1)
            ],
            "lost_games": len(solved) - sum(solved),
            "streak": streak,
            "longest_streak": longest,
            "valued_games": sum(each is not None for each in skill),
            **_mean_of("skill", skill),
            **_mean_of("luck", luck),
            "habits": self.habits,
            "best_games": [game.number for game in self.best],
            "luckiest_games": [game.number for game in self.luckiest],
            "game_numbers": [game.number for game in self.games],
            "turns_by_game": [turns.get(game.number) for game in self.games],
            "skill_by_game": [None if each is None else float(each) for each in skill],
            "luck_by_game": [None if each is None else float(each) for each in luck],
        }

    def facts(self) -> dict[str, str]:
        """What a report tells of the player, by name."""
        row = self.row
        left_out = {
            "games that cannot be read to their end": row["faulty_games"],
            "games without an end": row["unfinished_games"],
        }
        valued = counted(row["valued_games"], "game")
        return {
            "games": f"{row['played_games']:,}",
            "solved": f"{sum(row['solved_on_turn']):,}",
            "lost": f"{row['lost_games']:,}",
            **{name: f"{number:,}, left out" for name, number in left_out.items() if number},
            "solved on turn 1, 2, ...": " ".join(map(str, row["solved_on_turn"])),
            "streak, and the longest": f"{row['streak']:,}, {row['longest_streak']:,}",
            "mean skill": f"{_with_error(row, 'skill')}, of {valued}",
            "mean luck": f"{_with_error(row, 'luck')}, of {valued}",
        }

    def lines(self) -> Iterator[RenderableType]:
        """The history for a terminal."""
        row = self.row
        if self.player:
            yield f"{self.player}:"
        said = {
            name: fact for name, fact in self.facts().items() if not name.startswith("solved on")
        }
        width = max(map(len, said))
        for name, fact in said.items():
            yield f"{name:{width}} {fact}"
        found = [*enumerate(row["solved_on_turn"], start=1), ("lost", row["lost_games"])]
        most = max(1, *(number for _, number in found))
        for turn, number in found:
            yield f"{turn!s:>{width}} {'█' * round(BAR_WIDTH * number / most)} {number:,}"
        yield from filter(None, (self.habit_table(), self.games_table()))

    def habit_table(self) -> FittedTable | None:
        """The table of the habits; None if there are none."""
        if not self.habits:
            return None
        columns = [Column("habit", list(self.habits))]
        for key, heading in HABIT_HEADINGS.items():
            values = [habit[key] for habit in self.habits.values()]
            columns.append(Column(key, values, 0 if key == "turns" else 3, heading))
        return FittedTable(columns, title="Habits, costliest first")

    def games_table(self) -> FittedTable | None:
        """The table of the best and luckiest games; None if there are none."""
        named = [("best", game) for game in self.best]
        named += [("luckiest", game) for game in self.luckiest]
        if not named:
            return None
        games = [game for _, game in named]
        columns = [
            Column("which", [which for which, _ in named]),
            Column("game_number", [game.number for game in games], heading="game"),
            Column("guesses", [" ".join(map(capitals, game.guesses)) for game in games]),
            Column("skill", [_decimal(game.skill) for game in games], 3),
            Column("luck", [_decimal(game.luck) for game in games], 3),
        ]
        return FittedTable(columns, title="Best and luckiest games")


HABIT_HEADINGS = {
    "turns": "turns",
    "regret": "regret\nin all",
    "mean_regret": "regret of\na turn",
    "regret_error": "standard\nerror",
    "others_regret": "of other\nturns",
}


def histories(rows: Iterable[Mapping[str, Any]], game: Game) -> Mapping[str, History]:
    """The history of each player, by name, from rows of turns."""
    by_game: dict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_game[row["player"] or "", row["game_number"]].append(row)
    return histories_of(
        [(number, player, turns) for (player, number), turns in by_game.items()], game
    )


def histories_of(
    games: Iterable[tuple[int, str, Turns | Chart]], game: Game
) -> Mapping[str, History]:
    """The history of each player, by name, from numbered games: rows of turns, or share grids."""
    limit = game.objective.max_guesses
    found: dict[str, History] = {}
    for number, player, given in sorted(games, key=lambda each: each[0]):
        history = found.setdefault(player, History(player, limit))
        if isinstance(given, Chart):
            is_found = given.patterns[-1] == game.words.feedback.solved
            history.games.append(Played(number, (), len(given.patterns), is_found))
        else:
            history.games.append(_played(number, given, game))
    return {player: found[player] for player in sorted(found)}


def _played(number: int, rows: Turns, game: Game) -> Played:
    """A game from the rows of its turns."""
    made = [row for row in rows if row["turn"] is not None]
    faulty = (Fault.CONTRADICTORY, *UNREAD)
    solved = game.words.feedback.format(game.words.feedback.solved)
    lucks = [Fraction(row["luck_fraction"]) for row in rows if row["luck_fraction"] is not None]
    valued = [row for row in made if row["regret_fraction"] is not None]
    regrets = [Fraction(row["regret_fraction"]) for row in valued]
    prices = sum(game.prices.ahead(row["turn"] - 1, 1)[0] for row in valued)
    turns = []
    for row, regret in zip(valued, regrets, strict=True):
        before = [each for each in made if each["turn"] < row["turn"]]
        repeated = _has_repeat(row["guess"], game)
        trapped = regret > 0 and _is_trapped(before, row["guess"], game)
        turns.append(Turn(row["turn"], row["guess"], regret, repeated, trapped))
    return Played(
        number,
        tuple(row["guess"] for row in made),
        len(made),
        bool(made) and made[-1]["pattern"] == solved,
        any(row["fault"] in faulty for row in rows),
        tuple(turns),
        1 - sum(regrets, Fraction(0)) / prices if prices else None,
        sum(lucks, Fraction(0)) if lucks else None,
    )


def _has_repeat(guess: str, game: Game) -> bool:
    """Whether a letter occurs twice in a guess; False in a game without words."""
    if not game.words.feedback.is_of_words:
        return False
    signs = game.words.guesses.signs[game.words.guesses.find(guess)]
    return len(set(signs)) < len(signs)


def _is_trapped(before: Turns, guess: str, game: Game) -> bool:
    """Whether a guess tries one of several answers left, which differ in one place only."""
    words, state = game.words, game.start().state
    if not words.feedback.is_of_words:
        return False
    for row in before:
        state = game.part(
            state, words.guesses.find(row["guess"]), words.feedback.parse(row["pattern"])
        )
    if len(state) < MIN_ALIKE:
        return False
    letters = [words.answers.signs[a] for a in state.tolist()]
    open_places = [i for i, column in enumerate(zip(*letters, strict=True)) if len(set(column)) > 1]
    own = words.guesses.signs[words.guesses.find(guess)]
    return len(open_places) == 1 and all(
        own[i] == letters[0][i] for i in range(len(own)) if i != open_places[0]
    )


def _habit(turns: Sequence[Turn], has_habit: Sequence[bool]) -> dict[str, Any]:
    """What the turns with a habit cost, beside the other turns."""
    mine = [turn.regret for turn, has in zip(turns, has_habit, strict=True) if has]
    others = [turn.regret for turn, has in zip(turns, has_habit, strict=True) if not has]
    mean, error = _mean_and_error(mine)
    return {
        "turns": len(mine),
        "regret": float(sum(mine, Fraction(0))),
        "mean_regret": mean,
        "regret_error": error,
        "others_regret": _mean_and_error(others)[0],
    }


def _streaks(solved: Sequence[bool]) -> tuple[int, int]:
    """The number of solved games at the end, and the longest run of them."""
    longest = run = 0
    for each in solved:
        run = run + 1 if each else 0
        longest = max(longest, run)
    return run, longest


def _mean_of(name: str, values: Iterable[Fraction | None]) -> dict[str, float | None]:
    """The mean of the known values and its standard error, as keys of a row."""
    mean, error = _mean_and_error([value for value in values if value is not None])
    return {f"{name}_mean": mean, f"{name}_error": error}


def _mean_and_error(values: Sequence[Fraction]) -> tuple[float | None, float | None]:
    """The mean, and its standard error: the deviation of the sample over the root of its size.

    None without a value, and no error of a single one.
    """
    if not values:
        return None, None
    count = len(values)
    mean = statistics.mean(values)
    return float(mean), sqrt(statistics.variance(values, mean) / count) if count > 1 else None


def _with_error(row: Mapping[str, Any], name: str) -> str:
    error = row[f"{name}_error"]
    sign = "+" if name == "luck" else ""
    shown = f"{row[f'{name}_mean']:{sign}.3f}" if row[f"{name}_mean"] is not None else "-"
    return shown if error is None else f"{shown} ± {error:.3f}"


def _decimal(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
