"""Questions about whole games: watch strategies, review a game, and play against an umpire."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from gpu_wordle.api.analysing import values_of
from gpu_wordle.api.playing import umpire_of
from gpu_wordle.api.pools import solver_pool
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.analyse import analyse as analyse_turns
from gpu_wordle.experiments.kept_games import read_kept_games, record_of
from gpu_wordle.experiments.pasted import read_pasted
from gpu_wordle.experiments.play import Board, Honest
from gpu_wordle.experiments.records import read_records
from gpu_wordle.experiments.transcripts import Chart, Charts, Transcript
from gpu_wordle.experiments.watch import Move, strategies_of
from gpu_wordle.experiments.watch import watch as watch_strategy
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option
from gpu_wordle.options.outcome import document_of
from gpu_wordle.options.reading import WORD, whole
from gpu_wordle.options.shared import OrderName, PoolName, Seed, Survivors, TiesName
from gpu_wordle.report.board import BoardRow, describe_board, letter_digits
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.table import columns_of
from gpu_wordle.report.watched import describe_watched
from gpu_wordle.strategies.positions import StoppedError
from gpu_wordle.strategies.strategy import Choice, Order, Pool, Ties
from gpu_wordle.verbs import analyse as analysing
from gpu_wordle.web.parameters import (
    MAX_GAMES_BYTES,
    MAX_HISTORY_GAMES,
    MAX_TOP,
    MAX_TURNS_TOLD,
    STRATEGIES,
    TARGET,
    FileName,
    GamesText,
    Made,
    Openers,
    PastedGame,
    UmpireName,
    taken,
)
from gpu_wordle.web.questions import (
    Asked,
    Lists,
    OverdueError,
    Played,
    Replayed,
    Started,
    question,
)

COLOURS = "BYG"
"""Codes of the letter colours: black, yellow and green."""


@question("rows", "target")
def watch(
    asked: Replayed,
    *,
    strategies: Annotated[list[str], STRATEGIES],
    target: Annotated[str, TARGET],
    openers: Openers = None,
    pool: PoolName = "all",
    survivors: Survivors = 2,
    ties: TiesName = "candidates",
    order: OrderName = "listed",
    seed: Seed = 0,
) -> Document:
    """Strategies side by side on one answer, each turn with its exact regret and luck."""
    session, game = asked.session, asked.game
    hidden = game.words.answers.find(target)
    if hidden not in asked.position.state:
        raise UserError(f"{capitals(target)} cannot be the answer after these turns")
    choice = Choice(Pool(pool), survivors, False, Ties(ties), seed, Order(order))
    playing = strategies_of(strategies, game, choice)
    first = _openers(asked, openers or [], len(playing))
    solvers = solver_pool(game, session.machine, game.guess_count)
    rows: list[dict[str, Any]] = []
    with solvers, asked.stop_token.of(solvers.stop):
        values = values_of(game, solvers)
        for strategy, opener in zip(playing, first, strict=True):
            given = values, session.evaluator, solvers.stop, opener
            try:
                moves = watch_strategy(strategy, asked.position, hidden, *given)
            except StoppedError:
                raise OverdueError from None
            analysed = analyse_turns(values, _transcript(asked, moves))
            rows += describe_watched(strategy.name, moves, analysed, values)
        if solvers.stop.is_set():
            raise OverdueError
    answer = {"target": game.words.answers.words[hidden]}
    return Document(envelope("watch", asked.position), answer, columns_of(rows))


def _openers(asked: Asked, named: list[str], count: int) -> list[int | None]:
    """The first guess of each strategy; None lets the strategy choose."""
    find = asked.game.words.guesses.find
    if len(named) > 1 and len(named) != count:
        raise UserError(f"openers={','.join(named)}: give one for all strategies, or one for each")
    found: list[int | None] = [None if word == "-" else find(word) for word in named]
    for guess in found:
        if guess is not None:
            asked.position.check_legal(guess)
    return found * count if len(found) == 1 else found or [None] * count


def _transcript(asked: Asked, moves: list[Move]) -> Transcript:
    """The transcript of a watched game, with the turns before it."""
    words = asked.game.words
    turns = [*asked.position.turns, *((move.guess, move.pattern) for move in moves)]
    return Transcript(tuple((words.guesses.words[g], words.feedback.format(p)) for g, p in turns))


@question("rows", body=("text", "answer"))
def analyse(
    asked: Replayed,
    *,
    words: Made = None,
    answer: Annotated[str | None, taken(analysing.analyse, "answer")] = None,
    text: PastedGame = None,
    top: Annotated[int, taken(analysing.analyse, "top", whole(1, MAX_TOP))] = 20,
) -> Document:
    """The analysis of a played game, turn by turn; or the openers that fit a share grid."""
    given = _given(asked, words or [], answer, text)
    session = asked.shelf.session(asked.game.start())
    if not isinstance(given, Transcript):
        return document_of(analysing.of_grids(session, given, answer, top), "analyse")
    return document_of(analysing.of_one(session, given, asked.stop_token), "analyse")


def _given(
    asked: Asked, words: list[str], answer: str | None, text: str | None
) -> Transcript | Chart | Charts:
    """The game of a question; UserError unless it is given in exactly one way."""
    if sum(map(bool, (asked.turns, words, text))) != 1:
        raise UserError("give one of: the turns, words and the answer, or a pasted text")
    if words and answer is None:
        raise UserError("words without colours; give the answer as well, or turns")
    told = asked.turns or " ".join(words) or text or ""
    given = read_pasted(told, asked.game.words, answer)
    if isinstance(given, Transcript):
        turns = len(given.turns)
    else:
        turns = sum(len(chart.patterns) for chart in given.charts)
    if turns > MAX_TURNS_TOLD:
        raise UserError(f"{turns:,} turns; at most {MAX_TURNS_TOLD} are reviewed here")
    return given


@question(body=("text", "name", "last"), most=MAX_GAMES_BYTES, is_kept=False)
def collect(
    asked: Lists,
    *,
    text: GamesText = None,
    name: FileName = "",
    last: Annotated[
        Literal["answer"] | None,
        Option("answer: the last word of a pasted game without colours is its answer."),
    ] = None,
) -> dict[str, Any]:
    """Read many games: pasted ones, or a file in .csv, .jsonl or .json; nothing is kept."""
    words = asked.shelf.words(asked.name)
    found = read_kept_games(text or "", name, words, last_is_answer=last is not None)
    return {
        "games": [record_of(game, words) for game in found.games],
        "refused": found.refused,
        "ignored": found.ignored,
    }


@question("rows", body=("games",), most=MAX_GAMES_BYTES, is_kept=False)
def history(asked: Played, *, games: GamesText = None) -> Document:
    """The history of the players of many games, one JSON object on each line; nothing is kept."""
    read = read_records("games", games or "", asked.game.words, is_csv=False)
    if not read:
        raise UserError("no games; give one on each line, as analyse --games reads them")
    if len(read) > MAX_HISTORY_GAMES:
        raise UserError(
            f"{len(read):,} games; the page takes {MAX_HISTORY_GAMES:,}; export them, and ask "
            "gpu-wordle analyse, which takes any number"
        )
    session = asked.shelf.session(asked.game.start())
    outcome = analysing.of_many(session, read, None, asked.stop_token, with_history=True)
    return document_of(outcome, "analyse")


@question("rows", "over", "keyboard")
def play(
    asked: Started,
    *,
    umpire: UmpireName = "random",
    words: Made = None,
    seed: Seed = 0,
    answer: Annotated[str | None, Option("The answer, with umpire=word.", WORD)] = None,
) -> Document:
    """A game against an umpire, replayed from its first guess.

    The question determines the game: a random answer depends only on the seed.
    """
    start = asked.position
    if umpire == "word" and answer is None:
        raise UserError("umpire=word needs the answer; give it, or choose another umpire")
    if umpire != "word" and answer is not None:
        raise UserError(f"umpire={umpire} draws the answer itself; leave it out")
    answering = umpire_of(start, answer, seed, adversary=umpire == "adversary")
    board = Board(start)
    for word in words or []:
        if board.is_over:
            raise UserError(f"{word}: the game was over before; leave it out")
        guess = asked.game.words.guesses.find(word)
        board.position.check_legal(guess)
        board.play(guess, answering.pattern(board.position, guess))
    hidden = answering.answer if isinstance(answering, Honest) else board.position.state[0]
    facts = {
        "solved": board.is_solved,
        "over": board.is_over,
        "answer": asked.game.words.answers.words[hidden] if board.is_over else None,
        "keyboard": {letter: COLOURS[digit] for letter, digit in letter_digits(board).items()},
    }
    columns = columns_of(describe_board(board), BoardRow)
    return Document(envelope("play", start), facts, columns)
