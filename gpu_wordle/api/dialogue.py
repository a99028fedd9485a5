"""Games with language models in text, and the scores of games that were played elsewhere."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from gpu_wordle.api.games import Game, Position, played
from gpu_wordle.api.playing import umpire_of
from gpu_wordle.api.values import kept_values
from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.analyse import Analysed, analyse
from gpu_wordle.experiments.play import Board, Honest
from gpu_wordle.experiments.records import read_record
from gpu_wordle.experiments.replies import Told, prompt, read_reply, told
from gpu_wordle.experiments.transcripts import Chart, Fault, Transcript, passed_over
from gpu_wordle.game.objective import MAX_GUESS_LIMIT
from gpu_wordle.game.spelling import capitals
from gpu_wordle.options.declared import Option, checked
from gpu_wordle.options.reading import MAX_COUNT, TEXT, WORD, Allowed, RefusedError, whole
from gpu_wordle.report.analysed import describe_whole

_log = logging.getLogger("gpu_wordle")


def _records(given: Any) -> list[Mapping[str, Any]]:
    """Written games: one, or an iterable of them."""
    listed = [given] if isinstance(given, Mapping) else given
    if isinstance(listed, str | bytes) or not isinstance(listed, Iterable):
        raise RefusedError
    try:
        records = list(listed)
    except TypeError:  # an array without dimensions
        raise RefusedError from None
    if not all(isinstance(each, Mapping) for each in records):
        raise RefusedError
    return records


class Dialogue:
    """A game with a language model, in text.

    Send :attr:`prompt`, then hand each reply to :meth:`reply` and send what it returns, until
    :attr:`is_over`. A guess takes no turn if it cannot be read, is not in the list or breaks the
    rule. The game ends after as many of them as it has turns.
    """

    __slots__ = ("_board", "_faults", "_form", "_guesses", "_umpire")

    @checked
    def __init__(
        self,
        game: Annotated[Game, played()],
        answer: Annotated[
            str | None, Option("The hidden word. Default: drawn by weight.", WORD)
        ] = None,
        *,
        seed: Annotated[int | None, Option("The seed of the draw.", whole(0, MAX_COUNT))] = None,
        feedback: Annotated[
            Literal["squares", "words"],
            Option("How feedback is told: squares, as in ⬛🟨🟩; words, as in 'S grey'."),
        ] = "squares",
    ) -> None:
        start = game._inner.start()
        umpire = umpire_of(start, answer, seed, adversary=False)
        assert isinstance(umpire, Honest), "no adversary was asked for"
        self._umpire, self._board, self._form = umpire, Board(start), Told(feedback)
        self._guesses: list[str] = []
        self._faults = dict.fromkeys(Fault, 0)

    @property
    def prompt(self) -> str:
        """The rules of the game, and how to reply."""
        return prompt(self._board.game)

    @property
    def answer(self) -> str:
        """The hidden word."""
        return self._board.game.words.answers.words[self._umpire.answer]

    @property
    def position(self) -> Position:
        """The position; once the game is solved, the one before the last guess."""
        return Position(self._board.position)

    @property
    def is_solved(self) -> bool:
        """True if the answer is found."""
        return self._board.is_solved

    @property
    def is_over(self) -> bool:
        """True if the game is solved or lost, or if too many replies took no turn."""
        limit = self._board.game.objective.max_guesses or MAX_GUESS_LIMIT
        return self._board.is_over or self.refused >= limit

    @property
    def refused(self) -> int:
        """The number of replies that took no turn."""
        return sum(self._faults.values())

    @checked
    def reply(self, text: Annotated[str, Option("What the model has replied.", TEXT)]) -> str:
        """Take a reply; return what the model is told: feedback, or why no turn was taken.

        Raises UserError once the game is over.
        """
        if self.is_over:
            raise UserError("the game is over; begin another")
        board, words = self._board, self._board.game.words
        try:
            word = read_reply(text, words)
        except UserError as error:
            return self._refused(Fault.of(error), error)
        try:
            guess = words.guesses.find(word)
        except UserError as error:
            return self._refused(Fault.UNKNOWN, error)
        if not board.position.choices[guess]:
            try:
                board.position.check_legal(guess)
            except UserError as error:
                return self._refused(Fault.ILLEGAL, error)
        pattern = self._umpire.pattern(board.position, guess)
        board.play(guess, pattern)
        self._guesses.append(words.guesses.words[guess])
        return f"{told(board.game, guess, pattern, self._form)}\n{self._standing()}"

    def __repr__(self) -> str:
        turns = counted(len(self._board.turns), "turn")
        return f"Dialogue({Game(self._board.game)!r}, {turns} made, {self.refused} refused)"

    def _refused(self, fault: Fault, error: UserError) -> str:
        """Count a reply that takes no turn, and say why it takes none."""
        self._faults[fault] += 1
        return f"No turn is taken: {error}.\n{self._standing()}"

    def _standing(self) -> str:
        """How the game stands."""
        board, turns = self._board, f"{len(self._board.turns):,}"
        if board.is_solved:
            return f"Solved in {turns}."
        if self.is_over:
            return f"Not solved in {turns}: it was {capitals(self.answer)}."
        limit = board.game.objective.max_guesses
        if limit is None:
            return "Go on."
        return f"{counted(limit - len(board.turns), 'guess', 'guesses')} left."

    def score(self) -> dict[str, Any]:
        """Return the score of the game as it stands; see :func:`gpu_wordle.score`."""
        turns = tuple((guess, None) for guess in self._guesses)
        row = _scored(Game(self._board.game), Transcript(turns, self.answer))
        for fault, count in self._faults.items():
            row[fault.value] += count
        return row


@checked
def score(
    game: Annotated[Game, played()],
    transcripts: Annotated[
        Mapping[str, Any] | Iterable[Mapping[str, Any]],
        Option(
            "Games as dictionaries with guesses, answer, patterns and player, or text, or the "
            "messages of a language model.",
            Allowed("a dictionary for each game", _records),
        ),
    ],
) -> list[dict[str, Any]]:
    """Score finished games by their exact values; return a dictionary for each.

    Its keys: ``solved`` (within the guess limit), ``turns``, ``start_value``, ``total_regret``,
    ``total_luck``, ``skill``, ``regret_by_turn`` and ``luck_by_turn``, and numbers of guesses.
    ``contradictions`` disagree with earlier feedback, ``illegal`` ones break the rule, ``unknown``
    ones are not in the list. ``unread`` replies could not be read, and ``contradictory``,
    ``incomplete``, ``ambiguous`` and ``unreadable`` turns have wrong feedback or none. Values are
    those of :func:`gpu_wordle.analyse`.

    Raises UserError, with the number of the game, for a record that is no game.
    """
    words = game._inner.words
    records: list[Mapping[str, Any]] = _records(transcripts)
    read = [read_record(f"game {n}", each, words) for n, each in enumerate(records, start=1)]
    for n, each in enumerate(read, start=1):
        if isinstance(each, Chart):
            raise UserError(f"game {n}: a share grid has no words to score; give its guesses")
    if without := passed_over(read, words):
        _log.warning("without values: %s", without)
    return [_scored(game, each) for each in read if isinstance(each, Transcript)]


def _scored(game: Game, transcript: Transcript) -> dict[str, Any]:
    """The score of one game."""
    analysed = analyse(kept_values(game), transcript)
    kinds = {fault.value: analysed.count(fault) for fault in Fault}
    whole_game = describe_whole(analysed)
    return {
        "player": transcript.player,
        "answer": transcript.answer,
        "solved": analysed.is_won,
        "turns": analysed.length,
        **{key: whole_game[key] for key in ("start_value", "total_regret", "total_luck", "skill")},
        **_by_turn(analysed),
        "contradictions": analysed.contradictions,
        **kinds,
        "unread": len(transcript.ignored),
    }


def _by_turn(analysed: Analysed) -> dict[str, list[float | None]]:
    """Regret and luck of each guess that counted; None where they are unknown."""
    counted_steps = [step for step in analysed.steps if step.guess is not None]
    pairs = [(step.regret, step.luck) for step in counted_steps]
    numbers = [[None if each is None else float(each) for each in pair] for pair in pairs]
    return {
        "regret_by_turn": [regret for regret, _ in numbers],
        "luck_by_turn": [luck for _, luck in numbers],
    }
