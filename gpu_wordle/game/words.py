"""Word lists: the named ones in ``data/`` and files of the user, validated and hashed."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.feedback import Feedback, LetterFeedback
from gpu_wordle.game.named_lists import catalogue, named_words
from gpu_wordle.game.reading import MIB, read_bytes
from gpu_wordle.game.spelling import normalise
from gpu_wordle.game.word_list import MAX_LENGTH, MIN_LENGTH, WordList

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_ANSWERS = 65_535  # answers are indexed by uint16
MAX_WORDS = 500_000
MAX_LIST_BYTES = 32 * MIB
"""Largest file of a list; enough for MAX_WORDS words of any alphabet."""

DEFAULT_LIST = "original"


@dataclass(frozen=True)
class GameWords:
    """The guesses and answers of a game, and its feedback.

    The feedback is Wordle's, unless ``definition`` gives the feedback of another game (games.py);
    then guesses and answers are any names.

    Raises UserError if an answer of a game of words is not a guess, if the lists differ in word
    length, and for more than MAX_ANSWERS answers.
    """

    guesses: WordList
    answers: WordList
    definition: Feedback | None = None

    def __post_init__(self) -> None:
        if self.definition is None:
            self._check_letters()
        if len(self.answers) > MAX_ANSWERS:
            raise UserError(
                f"{self.answers.source} has {len(self.answers):,} answers; "
                f"at most {MAX_ANSWERS:,} are supported; give a shorter list with --answers"
            )

    def __repr__(self) -> str:
        guesses = counted(len(self.guesses), "guess", "guesses")
        counts = f"{guesses}, {counted(len(self.answers), 'answer')}"
        return f"GameWords({counts}, {self.feedback.name})"

    def _check_letters(self) -> None:
        """Raise UserError unless the lists have one word length, and every answer is a guess."""
        if self.answers.length != self.guesses.length:
            raise UserError(
                f"{self.answers.source} has words of {counted(self.answers.length, 'letter')}, "
                f"{self.guesses.source} of {self.guesses.length}; both lists need one length"
            )
        index = self.guesses.by_letters
        missing = [i for i, signs in enumerate(self.answers.signs) if signs not in index]
        for i in missing[:1]:
            where = f", line {self.answers.lines[i]}" if self.answers.lines else ""
            is_alone, held = len(missing) == 1, counted(len(self.answers), "answer")
            others = "" if is_alone else f", and {len(missing):,} of the {held} are not"
            raise UserError(
                f"{self.answers.source}{where}: the answer {quoted(self.answers.words[i])} is not "
                f"a guess of {self.guesses.source}{others}; give --join-answers to allow "
                f"{'it as a guess' if is_alone else 'them as guesses'}, or choose other --answers"
            )

    @cached_property
    def feedback(self) -> Feedback:
        """The feedback of the game."""
        return self.definition or LetterFeedback(self.length, self.guesses.alphabet)

    @property
    def length(self) -> int:
        """Letters in each word."""
        return self.guesses.length

    @cached_property
    def guess_of_answer(self) -> NDArray[np.int32]:
        """Guess index of each answer, int32[A]."""
        return self.feedback.guess_of_answer(self)

    @cached_property
    def answer_of_guess(self) -> NDArray[np.int32]:
        """Answer index of each guess, int32[G]; -1 if the guess is no answer."""
        import numpy as np

        result = np.full(len(self.guesses), -1, dtype=np.int32)
        result[self.guess_of_answer] = np.arange(len(self.answers), dtype=np.int32)
        return result

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of both lists and the feedback, which identifies everything derived from them."""
        other = self.guesses.alphabet.text if self.definition is None else self.definition.name
        whole = f"{self.guesses.sha256}{self.answers.sha256}{other}"
        return hashlib.sha256(whole.encode()).hexdigest()


def load_words(guesses: str = DEFAULT_LIST, answers: str | None = None) -> GameWords:
    """Load the lists of a game; each is a name in :func:`catalogue` or a path of a file.

    Without ``answers``, a named list has its own answers, and all words of a file are answers.
    Raises UserError for lists that cannot be read or do not fit together.
    """
    guess_list = load_list(guesses, "guesses")
    if answers is None:
        answer_list = load_list(guesses, "answers") if guesses in catalogue() else guess_list
    else:
        answer_list = load_list(answers, "answers")
    return GameWords(guess_list, answer_list)


def extended(guesses: WordList, others: WordList) -> WordList:
    """The guesses, followed by those of the other words that they lack."""
    pairs = zip(others.words, others.signs, strict=True)
    lacking = [word for word, signs in pairs if signs not in guesses.by_letters]
    if not lacking:
        return guesses
    source = f"{guesses.source} and {others.source}"
    return WordList((*guesses.words, *lacking), source, alphabet=guesses.alphabet)


def load_list(spec: str, role: str, alphabet: Alphabet = PLAIN) -> WordList:
    """Load a named list or a file; ``role`` is "guesses" or "answers", for named lists.

    A file is UTF-8 text with one word on each line, perhaps compressed (``.gz``); blank lines are
    skipped. It may be a pipe. Raises UserError, with file and line, for a wrong word, and for more
    than MAX_LIST_BYTES (unpacked) or MAX_WORDS.
    """
    named = catalogue().get(spec)
    if named is None:
        missing = f", and no list of that name; named: {', '.join(catalogue())}"
        data = read_bytes(Path(spec), MAX_LIST_BYTES, missing)
        return parse_list(data, spec, alphabet=alphabet)
    listed = WordList(named_words(spec, role), f"{spec} ({role})")
    if listed.sha256 != named[f"{role}_sha256"]:
        raise UserError(f"the packaged list {named[role]} is damaged; reinstall gpu-wordle")
    return listed if alphabet.is_plain else words_of(listed.words, listed.source, str, alphabet)


def words_of(
    words: Iterable[str],
    source: str,
    spell: Callable[[str], str] = normalise,
    alphabet: Alphabet = PLAIN,
) -> WordList:
    """Make a list of words. Raises UserError, which names ``source``, for a wrong word."""
    listed = _listed(words, source)
    for word in listed:
        if not isinstance(word, str):
            raise UserError(f"{source}: {quoted(word)} is no word; give a list of text")
        if len(word.split()) != 1:
            raise UserError(f"{source}: {quoted(word)} is not one word; give a list of words")
    data = "\n".join(listed).encode(errors="surrogatepass")  # refused below like other bytes
    return parse_list(data, source, spell, alphabet)


def _listed(words: Iterable[str], source: str) -> list[str]:
    try:
        return list(words)
    except TypeError:
        raise UserError(
            f"{source}: {quoted(words)} is no list of words; give a named list, a file or words"
        ) from None


def parse_list(
    data: bytes,
    source: str,
    spell: Callable[[str], str] = normalise,
    alphabet: Alphabet = PLAIN,
) -> WordList:
    """Parse and validate the bytes of a list. Errors name ``source``.

    ``spell`` turns a written word into its normal form, which ``alphabet`` cuts into letters.
    """
    flawless = _flawless(data) if alphabet.is_plain else None
    if flawless is not None:
        return WordList(flawless, source, tuple(range(1, len(flawless) + 1)))
    words: dict[str, tuple[str, int]] = {}
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        where = f"{source}, line {number}"
        try:
            word = spell(raw.decode("utf-8"))
        except UnicodeDecodeError:
            raise UserError(f"{where}: not UTF-8 text; save the list as UTF-8") from None
        if not word:
            continue
        signs = alphabet.signs(word)
        first = next(iter(words), signs)
        _check_signs(word, signs, where, alphabet, of_signs=all(map(_is_sign, first)))
        length = len(first)
        if len(signs) != length:
            cut = "" if alphabet.is_plain else f" ({' '.join(alphabet.cut(word))})"
            raise UserError(
                f"{where}: {quoted(word)} has {counted(len(signs), 'letter')}{cut}"
                f"{_of_jamo(word)}; every word of this list has {length}"
            )
        if not MIN_LENGTH <= length <= MAX_LENGTH:
            raise UserError(
                f"{where}: {quoted(word)} has {counted(length, 'letter')}; "
                f"words of {MIN_LENGTH} to {MAX_LENGTH} letters are supported"
            )
        if signs in words:
            other, line = words[signs]
            alike = "was" if other == word else f"has the letters of {other!r}, which was"
            raise UserError(f"{where}: {word!r} {alike} already on line {line}; remove one")
        if len(words) == MAX_WORDS:
            raise UserError(f"{where}: more than {MAX_WORDS:,} words; give a shorter list")
        words[signs] = word, number
    if not words:
        raise UserError(f"{source}: the list is empty; put one word on each line")
    spelled, lines = zip(*words.values(), strict=True)
    return WordList(spelled, source, lines, alphabet)


def _check_signs(word: str, signs: str, where: str, alphabet: Alphabet, *, of_signs: bool) -> None:
    """Raise UserError unless a word has letters only, or no letter in a list of digits and signs.

    Each list is of one kind, so that a stray sign in a list of words is noticed.
    """
    fits = _is_sign if of_signs else alphabet.is_letter
    for bad in (sign for sign in signs if not fits(sign)):
        if unicodedata.category(bad).startswith("M"):
            kind = "a mark that Unicode has in no one sign with its letter; name both by --alphabet"
        else:
            kind = f"no {'digit or operator' if of_signs else 'letter'}; one word a line"
        raise UserError(f"{where}: {quoted(word)} holds {bad!r}, which is {kind}")


def _is_sign(sign: str) -> bool:
    """Whether a sign is a digit or an operator, as in lists of numbers or equations."""
    return unicodedata.category(sign) in _SIGNS or sign in "-*/%!()."


_SIGNS = ("Nd", "No", "Sm", "Sc", "Sk")
"""Unicode's categories of digits, other numbers, and mathematical, currency and other signs."""


def _of_jamo(word: str) -> str:
    """A remark for errors about a word in jamo, which has more letters than it shows."""
    is_joined = len(unicodedata.normalize("NFC", word)) < len(word)
    return ", for it is written in jamo and not in syllables" if is_joined else ""


def _flawless(data: bytes) -> tuple[str, ...] | None:
    """Fast path: parse a list of valid words in small ASCII letters; None for any other list.

    Most lists are such, and this takes a tenth of the time.
    """
    letters = data.replace(b"\n", b"")
    if not (letters.isascii() and letters.isalpha() and letters.islower()):
        return None
    words = tuple(data.decode().removesuffix("\n").split("\n"))
    lengths = {len(word) for word in words}
    is_sound = len(lengths) == 1 and MIN_LENGTH <= len(words[0]) <= MAX_LENGTH
    is_sound &= len(words) == len(set(words)) <= MAX_WORDS
    return words if is_sound else None
