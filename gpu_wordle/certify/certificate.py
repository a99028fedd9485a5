"""Certificates as text. certificates/FORMAT.md defines each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.certify.ledger import Entry
from gpu_wordle.certify.turn_prices import TurnPrices
from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, begins, check_target, held
from gpu_wordle.game.game import Game, State
from gpu_wordle.game.games import PegFeedback
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.states.tree import DecisionTree

FIRST_LINE = "gpu_wordle certificate 1\n"

MAX_LENGTH = {"letters": 10, "pegs": 15}
"""Longest word that checkers read, in symbols, by the kind of feedback."""
MAX_PRICED_TURNS = 30
"""Most prices that a certificate can list."""


@dataclass(frozen=True)
class Claim:
    """The lower bounds that a certificate states.

    Attributes:
        opener: the guess whose bound is stated; None for none.
        bound: the lower bound of the opener.
        others: the lower bound of every other first guess; None if none is stated.
    """

    opener: int | None
    bound: int
    others: int | None


@dataclass(frozen=True, eq=False)
class SetEntry:
    """An entry of a ledger that lists its answers. All guesses are legal in it.

    Attributes:
        answers: the answers, ascending.
        turns: the turns made.
        bound: the lower bound of the state.
    """

    answers: State
    turns: int
    bound: int


@dataclass(frozen=True, eq=False)
class Certificate:
    """A claim with its proof.

    Attributes:
        game: the game.
        tariff: the prices of turns.
        claim: the lower bounds.
        symmetries: int32[k, G], by which one opener stands for others. None if all renamings of
            places and symbols are symmetries, of states too.
        paths: for each answer, the guesses of the strategy up to it; None without a strategy.
        ledger: states with their bounds, children first.
    """

    game: Game
    tariff: TurnPrices
    claim: Claim
    symmetries: NDArray[np.int32] | None
    paths: list[list[int]] | None
    ledger: Sequence[Entry | SetEntry]

    @property
    def cost(self) -> int | None:
        """Return what the strategy costs by the prices of the certificate.

        Returns None without a strategy.
        """
        if self.paths is None:
            return None
        weight = self.game.objective.weights_of(self.game.root()).tolist()
        prices = [self.tariff.price(len(path)) for path in self.paths]
        return sum(w * price for w, price in zip(weight, prices, strict=True))

    def to_text(self) -> str:
        """Return the text of the file."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        words = self.game.words
        spelled = words.guesses.words
        yield FIRST_LINE.rstrip()
        yield f"guesses {len(words.guesses)} {words.guesses.sha256}"
        yield f"answers {len(words.answers)} {words.answers.sha256}"
        yield f"feedback {feedback_name(self.game)}"
        yield f"rule {self.game.rule.value}"
        yield f"prices {self.tariff}"
        weights = self.game.objective.weights
        yield "weights equal" if weights is None else f"weights {weights.sha256}"
        if weights is not None:
            yield from map(str, weights.of_answer)
        if self.symmetries is None:
            yield "symmetries all"
        elif len(self.symmetries):
            yield f"symmetries {len(self.symmetries)}"
            for symmetry in self.symmetries.tolist():
                yield " ".join(spelled[guess] for guess in symmetry)
        claim = self.claim
        if claim.opener is None:
            yield "opener none"
        else:
            yield f"opener {spelled[claim.opener]} {bound_text(claim.bound)}"
        yield "others none" if claim.others is None else f"others {bound_text(claim.others)}"
        yield "strategy none" if self.paths is None else f"strategy {self.cost}"
        for path in self.paths or ():
            yield " ".join(spelled[guess] for guess in path)
        yield f"ledger {len(self.ledger)}"
        for entry in self.ledger:
            yield f"{bound_text(entry.bound)} {self._state(entry)}"
        yield "end"

    def _state(self, entry: Entry | SetEntry) -> str:
        """Return the text of a ledger's state."""
        answers, guesses = self.game.words.answers.words, self.game.words.guesses.words
        if isinstance(entry, SetEntry):
            return " ".join(["set", str(entry.turns), *(answers[a] for a in entry.answers)])
        path = " ".join(guesses[guess] for guess in entry.spot.path)
        return f"path {path} {answers[entry.spot.answers[0]]}"


def bound_text(bound: int) -> str:
    """Return the text of a bound."""
    return "infeasible" if bound >= INFEASIBLE else str(bound)


def feedback_name(game: Game) -> str:
    """Return the certificate's name for the feedback of a game; UserError if checkers lack it."""
    feedback, source = game.words.feedback, game.words.guesses.source
    name = "letters" if feedback.is_by_letters else "pegs"
    if not feedback.is_by_letters and not isinstance(feedback, PegFeedback):
        raise UserError(
            f"{source}: the feedback of this game is not known to the checkers of certificates; "
            "certify a game of words, mastermind or bulls-and-cows"
        )
    lists = game.words.guesses, game.words.answers
    if not game.words.guesses.alphabet.is_plain:
        raise UserError(
            f"{source}: a certificate has a sign for each letter, and this game an alphabet; to "
            "certify it, write its lists with one ASCII letter for each letter, without --alphabet"
        )
    if not all(word.isascii() for listed in lists for word in listed.words):
        raise UserError(f"{source}: certificates are of words in ASCII letters; use such a list")
    length = game.words.length
    if not 2 <= length <= MAX_LENGTH[name]:
        raise UserError(
            f"{source}: words of {length}; certificates are of words of 2 to {MAX_LENGTH[name]}"
        )
    return name


def paths_of(tree: DecisionTree, game: Game) -> list[list[int]]:
    """Return for each answer the guesses up to it, by a strategy from the start.

    A strategy may give answers up. Those that it leaves together are then guessed one after
    another, each time the first one left.
    """
    children = {
        (parent, pattern): node
        for node, (parent, pattern) in enumerate(
            zip(tree.parent.tolist(), tree.pattern.tolist(), strict=True)
        )
    }
    paths: list[list[int]] = [[] for _ in range(game.answer_count)]
    waiting: list[tuple[int | None, NDArray[np.uint16]]] = [(0, game.root())]
    while waiting:
        node, state = waiting.pop()
        own = game.words.guess_of_answer[state[0]]
        guess = int(own if node is None else tree.guess[node])
        for answer in state.tolist():
            paths[answer].append(guess)
        patterns = game.patterns.values[state, guess]
        for pattern in np.unique(patterns).tolist():
            if pattern != game.words.feedback.solved:
                child = None if node is None else children.get((node, pattern))
                waiting.append((child, state[patterns == pattern]))
    return paths


def is_certificate(path: Path) -> bool:
    """True if a file begins like a certificate; UserError if it cannot be read."""
    return path.is_file() and begins(path, FIRST_LINE)


def check_certificate_file(path: Path) -> None:
    """Raise UserError unless ``path`` is free, or holds a certificate that may be replaced."""
    check_target(path, "certificate", is_certificate)


def save_certificate(path: Path, certificate: Certificate) -> int:
    """Write a certificate, whole or not at all, and return its bytes.

    Raises UserError where :func:`check_certificate_file` does, JobError if it cannot be written.
    """
    check_certificate_file(path)
    text = certificate.to_text().encode("ascii")
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(text)
    return len(text)
