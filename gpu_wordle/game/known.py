"""What is known of the answer without guesses: letters by place, present and absent letters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import AmbiguousError, UserError, counted, quoted
from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.legality import BITS, Revealed, Traits
from gpu_wordle.game.rule import UNKNOWN_PLACE, Rule
from gpu_wordle.game.spelling import capitals, normalise
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords

MARK = "known:"
"""The start of knowledge in the text of a position, as in ``known:**er*/o2,s45/tlac``."""

UNKNOWN = f"{UNKNOWN_PLACE}.?_"
"""Signs of an unknown place in a template; the first one is written."""

PLACES = "1234567890"
"""The digits of places; 0 is the tenth."""

_PIECE = re.compile(r"(([^0-9])\2*)([0-9]*)")


@dataclass(frozen=True)
class Knowledge:
    """Knowledge about the answer that does not come from turns.

    A letter occurs as often as ``template`` has it, or as one entry of ``present`` repeats it,
    whichever is more. An absent letter occurs no further times. Letters are signs of the alphabet.

    Attributes:
        template: the letter of each place, or ``*``.
        least: letters that occur, each with its least number of copies.
        elsewhere: letters with places, from 0, where they are not.
        most: letters that occur no more often than ``least`` says.
        alphabet: what the letters of the game are.
    """

    template: str
    least: Mapping[str, int]
    elsewhere: tuple[tuple[str, int], ...]
    most: tuple[str, ...]
    alphabet: Alphabet = PLAIN

    @classmethod
    def read(
        cls, words: GameWords, template: str = "", present: str = "", absent: str = ""
    ) -> Knowledge | None:
        """Read knowledge as people write it; None if nothing is told.

        Raises UserError for what cannot be read, and for what contradicts itself.
        """
        if not (template.strip() or present.strip() or absent.strip()):
            return None
        if not words.feedback.is_by_letters or not words.guesses.words[0][0].isalpha():
            raise UserError(
                f"--template, --present and --absent are about letters, and {words.guesses.source} "
                "is a game without them; give turns"
            )
        alphabet = words.guesses.alphabet
        places = _template(template, words.length, alphabet)
        held, elsewhere = Counter(places.replace(UNKNOWN_PLACE, "")), set[tuple[str, int]]()
        lacking = dict[str, set[tuple[str, int]]]()
        for letter, copies, where in _entries("--present", present, words.length, alphabet):
            held[letter] = max(held[letter], copies)
            elsewhere |= where
        for letter, _, where in _entries("--absent", absent, words.length, alphabet):
            lacking.setdefault(letter, set()).update(where)
        for letter, where in lacking.items():
            if held[letter] and not where:
                spelled = alphabet.spelled(letter)
                shown = capitals(spelled)
                raise UserError(
                    f"--absent: {shown} is known to occur, too; leave it out, or write it with the "
                    f"place where it was grey, as in {spelled}1, if no further {shown} occurs"
                )
            elsewhere |= where if held[letter] else set()
        least = {letter: held[letter] for letter in sorted(held) if held[letter]}
        found = cls(places, least, tuple(sorted(elsewhere)), tuple(sorted(lacking)), alphabet)
        found._check()
        return found

    @classmethod
    def parse(cls, words: GameWords, text: str) -> Knowledge | None:
        """Read knowledge as :attr:`text` writes it."""
        parts = text.removeprefix(MARK).split("/")
        if len(parts) != 3:
            raise UserError(
                f"{quoted(text)}: give letters by place, present and absent ones, as in "
                f"{MARK}**er*/o2,s45/tlac"
            )
        return cls.read(words, *parts)

    @cached_property
    def text(self) -> str:
        """The knowledge as text without blanks."""
        present, absent = list[str](), list[str]()
        for letter, copies in self.least.items():
            where = "".join(PLACES[place] for each, place in self.elsewhere if each == letter)
            if letter in self.most:
                absent.append(letter + where)
                where = ""
            if where or copies > self.template.count(letter):
                present.append(copies * letter + where)
        absent += [letter for letter in self.most if letter not in self.least]
        bare = all(len(each) == 1 for each in absent) and self.alphabet.is_plain
        whole = f"{self.template}/{','.join(present)}/{('' if bare else ',').join(absent)}"
        return f"{MARK}{self.alphabet.spelled(whole)}"

    @property
    def said(self) -> str:
        """The knowledge as a person gave it, as in ``template **er*, present o2,s45``."""
        parts = self.text.removeprefix(MARK).split("/")
        named = zip(("template", "present", "absent"), parts, strict=True)
        return ", ".join(f"{name} {part}" for name, part in named if part.strip(UNKNOWN_PLACE))

    def agreeing(self, words: WordList) -> NDArray[np.bool_]:
        """The words that agree with the knowledge, bool[N]."""
        codes, fits = words.codes, np.ones(len(words), np.bool_)
        for place, letter in self._in_place:
            fits &= codes[:, place] == ord(letter)
        for letter, place in self.elsewhere:
            fits &= codes[:, place] != ord(letter)
        for letter in {*self.least, *self.most}:
            copies, known = (codes == ord(letter)).sum(axis=1), self.least.get(letter, 0)
            fits &= copies == known if letter in self.most else copies >= known
        return fits

    def revealed(self, rule: Rule, words: WordList, traits: Traits) -> Revealed:
        """The traits that restrict guesses: those tested by ``breach``, as bits.

        All possible answers agree on them. Traits that no word has restrict nothing.
        """
        bits, codes = traits.nothing(), words.codes
        if not rule.is_constrained:
            return bits
        in_place = [(letter, place) for place, letter in self._in_place]
        copies = [(letter, n) for letter, most in self.least.items() for n in range(1, most + 1)]
        if rule is Rule.ULTRA_HARD:
            in_place += self.elsewhere
            copies += [(letter, self.least.get(letter, 0) + 1) for letter in self.most]
        numbers = list[int]()
        for letter, place in in_place:
            having = np.flatnonzero(codes[:, place] == ord(letter))[:1]
            numbers += traits.numbers[having, place].tolist()
        for letter, copy in copies:
            held = codes == ord(letter)
            for word in np.flatnonzero(held.sum(axis=1) >= copy)[:1].tolist():
                place = int(np.flatnonzero(held[word])[copy - 1])
                numbers.append(int(traits.numbers[word, words.length + place]))
        for number in numbers:
            bits[number // BITS] |= np.uint64(1) << np.uint64(number % BITS)
        return bits

    @property
    def _in_place(self) -> Iterator[tuple[int, str]]:
        """The known places, each with its letter."""
        return ((i, letter) for i, letter in enumerate(self.template) if letter != UNKNOWN_PLACE)

    def _check(self) -> None:
        """Raise UserError if no word at all can agree."""
        for place, letter in self._in_place:
            if (letter, place) in self.elsewhere:
                shown = capitals(self.alphabet.spelled(letter))
                raise UserError(
                    f"{shown} is in place {place + 1} by --template, and by --present or --absent "
                    "it is not; leave one out"
                )
        free = {i for i, letter in enumerate(self.template) if letter == UNKNOWN_PLACE}
        further = [(x, n - self.template.count(x)) for x, n in self.least.items()]
        further = [(letter, copies) for letter, copies in further if copies > 0]
        room = {x: {i for i in free if (x, i) not in self.elsewhere} for x, _ in further}
        is_more = sum(copies for _, copies in further) > len(free)
        sizes = [len(further)] if is_more else range(1, len(further) + 1)
        # By Hall's theorem the letters have places iff each set of them has enough places together.
        for some in chain.from_iterable(combinations(further, size) for size in sizes):
            places = set[int]().union(*(room[letter] for letter, _ in some))
            if len(places) < sum(copies for _, copies in some):
                spelled = (self.alphabet.spelled(copies * letter) for letter, copies in some)
                named = " and ".join(map(capitals, spelled))
                raise UserError(
                    f"--present: too few places are left for {named} in words of "
                    f"{counted(len(self.template), 'letter')}; check it and --template"
                )


def _template(text: str, length: int, alphabet: Alphabet) -> str:
    """The letter of each place, or ``*``; UserError for other signs and another length."""
    signs = alphabet.signs(normalise("".join(text.split()))) or length * UNKNOWN_PLACE
    for sign in signs:
        if sign not in UNKNOWN and not alphabet.is_letter(sign):
            raise UserError(
                f"--template {quoted(text)}: {sign!r} is no letter; give a letter for each known "
                "place and * for the others, as in **er*"
            )
    if len(signs) != length:
        raise UserError(
            f"--template {quoted(text)} has {counted(len(signs), 'place')}; "
            f"words here have {length} letters"
        )
    return "".join(UNKNOWN_PLACE if sign in UNKNOWN else sign for sign in signs)


def _entries(
    option: str, text: str, length: int, alphabet: Alphabet
) -> Iterator[tuple[str, int, set[tuple[str, int]]]]:
    """Letters with their copies and the places where they are not, as in ``o2 s45``."""
    for token in normalise(text.replace(",", " ")).split():
        signs = alphabet.signs(token)
        pieces = [(found[1], found[3]) for found in _PIECE.finditer(signs)]
        is_read = "".join(run + places for run, places in pieces) == signs
        if not is_read or not all(alphabet.is_letter(run[0]) for run, _ in pieces):
            raise UserError(
                f"{option} {quoted(token)}: give letters, each with the places where it is not, "
                "as in 'o2 s45'"
            )
        if not any(places for _, places in pieces):
            yield from ((letter, n, set()) for letter, n in Counter(signs).items())
            continue
        if not all(places for _, places in pieces):
            spelled = [(alphabet.spelled(run), places) for run, places in pieces]
            apart = " ".join(run + places for run, places in spelled)
            last = pieces[-1][1]
            joined = " ".join(run + (places or last) for run, places in spelled)
            raise AmbiguousError(
                f"{option} {quoted(token)} can be read in two ways: as {apart}, or as {joined}; "
                "write one of them"
            )
        for run, places in pieces:
            where = {PLACES.index(digit) for digit in places}
            if max(where) >= length:
                raise UserError(
                    f"{option} {quoted(token)}: there is no place {max(where) + 1}; words here "
                    f"have {length} letters"
                )
            yield run[0], len(run), {(run[0], place) for place in where}
