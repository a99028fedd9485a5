"""The game in text, as language models play it: the prompt, their replies, and what they are told.

A reply names its guess alone, after a label, or within prose between marks such as ``<guess>``. A
reply that names several words is refused, and the message names them.
"""

from __future__ import annotations

import re
from enum import StrEnum

from gpu_wordle.errors import AmbiguousError, IncompleteError, counted
from gpu_wordle.experiments.pasted import NothingReadError, read_pasted
from gpu_wordle.experiments.pasted_lines import LABELS
from gpu_wordle.experiments.transcripts import Transcript, example_of
from gpu_wordle.game.feedback import LetterFeedback, digits
from gpu_wordle.game.game import Game
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.words import GameWords

MAX_TOLD_ANSWERS = 100
"""The prompt lists the possible answers if there are at most this many."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_TAGGED = re.compile(
    r"<(guess|answer)>((?:(?!<(?:guess|answer)>).)*?)</\1>|\\boxed\{([^{}]*)\}",
    re.DOTALL | re.IGNORECASE,
)
# A model that is stopped by its closing tag does not write it.
_UNCLOSED = re.compile(r"<(guess|answer)>([^<]*)\Z", re.IGNORECASE)
# Labels go first, since some of them are guesses too, as in "**Guess:** crane".
_LABEL = re.compile(
    rf"^[^\w\n]*(?:{'|'.join(sorted(LABELS))})[^\w\n]*:(?:\*\*(?!\w))?(.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_MARKED = re.compile(r"\[\s*([^\[\]\s]+)\s*\]|\*\*\s*([^*\s]+?)[.:,]?\s*\*\*")


class Told(StrEnum):
    """How feedback is told."""

    SQUARES = "squares"  # SALET ⬛🟨⬛⬛🟩
    WORDS = "words"  # SALET: S grey, A yellow, L grey, E grey, T green


RULES = {
    Rule.NORMAL: "",
    Rule.HARD: "Green letters must stay in their places, and yellow letters must be used again.",
    Rule.ULTRA_HARD: "Each guess must agree with all feedback before it.",
    Rule.CANDIDATES: "Each guess must be an answer that is still possible.",
}
"""The rules, as the prompt tells them."""


def prompt(game: Game) -> str:
    """The rules of a game, and how to reply."""
    words, limit = game.words, game.objective.max_guesses
    turns = "any number of guesses" if limit is None else counted(limit, "guess", "guesses")
    answers = counted(len(words.answers), "word")
    kind = f"{words.length} letters" if words.feedback.is_of_words else "no fixed length"
    lines = [
        f"Find the hidden word. It has {kind} and is one of {answers}. You have {turns}.",
        f"A guess must be one of the {len(words.guesses):,} words of the game.",
    ]
    if isinstance(words.feedback, LetterFeedback):
        lines += [
            "Each letter of a guess gets a colour. Green: the hidden word has the letter in this "
            "place. Yellow: it has the letter in another place. Grey: it does not have the letter"
            f"{', or no further copy of it' if words.feedback.is_by_letters else ''}.",
        ]
    else:
        lines.append(f"After each guess you are told its feedback, as in {example_of(words)}.")
    lines += [RULES[game.rule]] if RULES[game.rule] else []
    if len(words.answers) <= MAX_TOLD_ANSWERS:
        lines.append(f"The hidden word is one of: {capitals(' '.join(words.answers.words))}.")
    return "\n".join([*lines, "Reply with your next guess between <guess> and </guess>."])


def told(game: Game, guess: int, pattern: int, form: Told = Told.SQUARES) -> str:
    """A guess with its feedback."""
    words = game.words
    feedback, word = words.feedback, words.guesses.words[guess]
    if not isinstance(feedback, LetterFeedback):
        return f"{word} {feedback.format(pattern)}"
    if form is Told.SQUARES:
        return f"{capitals(word)} {feedback.picture(pattern)}"
    colours = (("grey", "yellow", "green")[digit] for digit in digits(pattern, words.length))
    tiles = zip(feedback.tiles(word), colours, strict=True)
    return f"{capitals(word)}: {', '.join(f'{letter} {colour}' for letter, colour in tiles)}"


def read_reply(text: str, words: GameWords) -> str:
    """The word that a reply guesses, which need not be in the list.

    Raises UserError for a reply that names no word, and for one that names several.
    """
    said = _THOUGHT.sub("\n", text)
    if words.guesses.place(said.strip()) is None:
        said = _LABEL.sub(lambda found: found[1].rstrip(".!"), said)
    found_tags = _TAGGED.findall(said) or _UNCLOSED.findall(said)
    tagged = ["".join(found[1:]) for found in found_tags]
    marked = ["".join(found) for found in _MARKED.findall(said)]
    marked = [each for each in marked if _is_word(each, words)]
    named = [_only(each, words) for each in tagged] or marked or [_only(said, words)]
    different = {words.guesses.place(each) or each.lower(): each for each in named}
    if len(different) > 1:
        listed = " and ".join(capitals(each) for each in different.values())
        raise AmbiguousError(f"the reply names {listed}; give one guess, as in {_example(words)}")
    return next(iter(different.values()))


def _only(text: str, words: GameWords) -> str:
    """The only word of a text."""
    bare = text.strip().rstrip(".!")
    if _is_word(bare, words):
        return bare
    try:
        given = read_pasted(bare, words)
    except NothingReadError:
        raise IncompleteError(
            f"the reply names no guess; give one, as in {_example(words)}"
        ) from None
    if not isinstance(given, Transcript) or any(seen is not None for _, seen in given.turns):
        raise IncompleteError(
            f"the reply holds colours; give the next guess alone, as in {_example(words)}"
        )
    named = dict.fromkeys(capitals(word) for word, _ in given.turns)
    if len(named) > 1:
        raise AmbiguousError(
            f"the reply names {' and '.join(named)}; give one guess, as in {_example(words)}"
        )
    return given.turns[0][0]


def _is_word(text: str, words: GameWords) -> bool:
    """Whether a text is a guess, or has the form of one."""
    if words.guesses.place(text) is not None:
        return True
    return words.feedback.is_of_words and words.guesses.is_like(text)


def _example(words: GameWords) -> str:
    return f"<guess>{example_of(words).split()[0]}</guess>"
