"""Reads certificates. certificates/FORMAT.md defines each line.

What a certificate states is read of every kind. The proof is read of one kind only: the mean under
the rule normal, with equal weights, no guess limit and no symmetries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gpu_wordle.certify.certificate import FIRST_LINE, MAX_PRICED_TURNS, feedback_name
from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.game import Game
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.verify import VerificationError


@dataclass(frozen=True)
class Stated:
    """What a certificate states about a game.

    Attributes:
        opener: a guess.
        bound: the lower bound of the opener, which its strategy is said to reach.
        others: the lower bound of all other guesses; None if none is stated.
        paths: for each answer, the guesses of the strategy up to it.
        ledger: for each entry its bound and its path, whose last guess is an answer.
    """

    opener: int
    bound: int
    others: int | None
    paths: list[list[int]]
    ledger: list[tuple[int, list[int]]]


@dataclass(frozen=True)
class Headline:
    """What a certificate states, without its proof.

    Attributes:
        guesses: the number and the SHA-256 of the guesses.
        answers: the number and the SHA-256 of the answers.
        feedback: ``letters`` or ``pegs``.
        rule: the rule.
        prices: the prices of the turns.
        weights: ``equal``, or the SHA-256 of the weights.
        symmetries: ``none``, ``all`` or their number.
        opener: the guess whose bound is stated; None for none.
        bound: the lower bound of the opener; ``none`` without an opener.
        others: the lower bound of every other first guess, or ``none``.
        strategy: the cost of the strategy, or ``none``.
        turns: for each answer, the turn on which the strategy finds it; empty without a strategy.
        ledger: for each listed state, the number of guesses made.
    """

    guesses: tuple[int, str]
    answers: tuple[int, str]
    feedback: str
    rule: str
    prices: str
    weights: str
    symmetries: str
    opener: str | None
    bound: str
    others: str
    strategy: str
    turns: list[int]
    ledger: list[int]


class _Lines:
    """The lines of a certificate, read in order."""

    def __init__(self, path: Path) -> None:
        try:
            text = path.read_bytes()
        except OSError as error:
            raise UserError(f"{path}: cannot be read ({error.strerror})") from None
        if not re.fullmatch(rb"(?:[!-~]+(?: [!-~]+)*\n)+", text):
            raise VerificationError(f"{path}: not plain lines of words, as certificates have them")
        self._path = path
        self._lines = text.decode("ascii").splitlines()
        self.at = 0
        if self.words() != FIRST_LINE.split():
            raise self.wrong("no certificate of this format")

    def wrong(self, what: str) -> VerificationError:
        """Return an error about the line that was read last."""
        return VerificationError(f"{self._path}, line {self.at}: {what}")

    def words(self, name: str | None = None) -> list[str]:
        """Return the words of the next line, without its name if it has to have one."""
        if self.at == len(self._lines):
            raise VerificationError(f"{self._path}: the end is missing")
        words = self._lines[self.at].split(" ")
        self.at += 1
        if name is not None and words.pop(0) != name:
            raise self.wrong(f"expected {name}")
        return words

    def number(self, text: str) -> int:
        """Read a plain number below 2^40."""
        if not re.fullmatch("0|[1-9][0-9]{0,12}", text) or int(text) >= INFEASIBLE:
            raise self.wrong(f"no number below 2^40: {quoted(text)}")
        return int(text)

    def exactly(self, count: int, name: str) -> list[str]:
        """Return the words of the next line, which has this name and ``count`` words."""
        words = self.words(name)
        if len(words) != count:
            raise self.wrong("more or fewer words than there should be")
        return words

    def end(self) -> None:
        """Read the last line, and require nothing after it."""
        self.exactly(0, "end")
        if self.at != len(self._lines):
            raise self.wrong("more after the end")


class _SpelledLines(_Lines):
    """The lines of a certificate of a game."""

    def __init__(self, path: Path, game: Game) -> None:
        super().__init__(path)
        self._index = game.words.guesses.index
        self._answers = set(game.words.guess_of_answer.tolist())

    def guess(self, word: str) -> int:
        """Return the index of a guess by its word."""
        if word not in self._index:
            raise self.wrong(f"not in the list: {quoted(word)}")
        return self._index[word]

    def path(self, words: list[str]) -> list[int]:
        """Return the indices of guesses, of which the last has to be an answer."""
        path = [self.guess(word) for word in words]
        if not path or path[-1] not in self._answers or len(path) > MAX_PRICED_TURNS:
            raise self.wrong(f"no way of up to {MAX_PRICED_TURNS} guesses to an answer")
        return path


def read_headline(path: Path) -> Headline:
    """Read what a certificate of any kind states. Its proof is not checked.

    Raises UserError if the file cannot be read; VerificationError if it is no certificate.
    """
    lines = _Lines(path)

    def listed(name: str) -> tuple[int, str]:
        count, sha256 = lines.exactly(2, name)
        return lines.number(count), sha256

    def skip(count: int) -> list[list[str]]:
        return [lines.words() for _ in range(count)]

    guesses, answers = listed("guesses"), listed("answers")
    feedback, rule, prices = (" ".join(lines.words(n)) for n in ("feedback", "rule", "prices"))
    (weights,) = lines.exactly(1, "weights")
    if weights != "equal":
        skip(answers[0])
    name, *rest = lines.words()
    symmetries = "none"
    if name == "symmetries" and len(rest) == 1:
        symmetries = rest[0]
        skip(0 if symmetries == "all" else lines.number(symmetries))
        name, *rest = lines.words()
    if name != "opener" or len(rest) not in (1, 2):
        raise lines.wrong("expected an opener and a number")
    opener, bound = (rest[0], rest[1]) if len(rest) == 2 else (None, "none")
    (others,), (strategy,) = lines.exactly(1, "others"), lines.exactly(1, "strategy")
    turns = [len(path) for path in skip(0 if strategy == "none" else answers[0])]
    (size,) = lines.exactly(1, "ledger")
    ledger = []
    for words in skip(lines.number(size)):
        if len(words) < 3 or words[1] not in ("path", "set"):
            raise lines.wrong("expected a bound, and a path or a set")
        ledger.append(lines.number(words[2]) if words[1] == "set" else len(words) - 3)
    lines.end()
    return Headline(
        guesses, answers, feedback, rule, prices, weights, symmetries,
        opener, bound, others, strategy, turns, ledger,
    )  # fmt: skip


def read_certificate(path: Path, game: Game) -> Stated:
    """Read a certificate of the game.

    Raises UserError if it is for other lists, or of a kind that is not read here; VerificationError
    if it is no certificate.
    """
    lines = _SpelledLines(path, game)
    listed = {"guesses": game.words.guesses, "answers": game.words.answers}
    for name, own in listed.items():
        if lines.words(name) != [str(len(own)), own.sha256]:
            raise UserError(
                f"{path}: made for other {name} than {own.source}; name its own by --{name}"
            )
    for name, kind in (
        ("feedback", feedback_name(game)),
        ("rule", "normal"),
        ("prices", "1 then +1"),
        ("weights", "equal"),
    ):
        given = " ".join(lines.words(name))
        if given != kind:
            raise _other_kind(path, f"{name} {given}")
    name, *rest = lines.words()
    if name == "symmetries" or rest == ["none"]:
        raise _other_kind(path, f"{name} {rest[0]}")
    if name != "opener" or len(rest) != 2:
        raise lines.wrong("expected an opener and a number")
    opener, bound = lines.guess(rest[0]), lines.number(rest[1])
    (least,) = lines.exactly(1, "others")
    others = None if least == "none" else lines.number(least)
    (cost,) = lines.exactly(1, "strategy")
    if cost == "none" or lines.number(cost) != bound:
        raise _other_kind(path, f"a bound of {bound} and a strategy of {cost}")
    paths = [lines.path(lines.words()) for _ in range(game.answer_count)]
    ledger = []
    (size,) = lines.exactly(1, "ledger")
    for _ in range(lines.number(size)):
        words = lines.words()
        if words[1:2] != ["path"]:
            raise _other_kind(path, " ".join(words[1:3]))
        if len(words) < 4:
            raise lines.wrong("no guess before the answer")
        ledger.append((lines.number(words[0]), lines.path(words[2:])))
    lines.end()
    return Stated(opener, bound, others, paths, ledger)


def _other_kind(path: Path, what: str) -> UserError:
    return UserError(
        f"{path}: {quoted(what)} is not replayed here, but the mean without limit, weights or "
        "symmetries under the rule normal; take certificates/check.c or check.py"
    )
