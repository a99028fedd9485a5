"""Hayes, "Words for the Wordle-Weary", 2022: letters, codes, and openers by a statistic.

Its whole games are in ``weary_games``.
"""

from __future__ import annotations

from collections import Counter
from string import ascii_lowercase

import numpy as np

from gpu_wordle.experiments.rank_correlation import spearman
from gpu_wordle.experiments.reproduce.bench import Bench, yes_or_no
from gpu_wordle.experiments.reproduce.item import (
    Line,
    Printed,
    Reproduced,
    beside,
    figure,
    found,
    item,
    table_of,
)
from gpu_wordle.game.feedback import GREEN, YELLOW, digits

PLACES = ("first", "second", "third", "fourth", "fifth")


@item("wordle-weary/table-1")
def openers(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the fifteen best openers by each statistic, and the worst one."""
    lines = []
    for name, (last, least) in printed["last"].items():
        values = bench.statistics[name]
        costs = -values if name != "standard_deviation" else values
        limit = np.sort(costs)[len(printed[name]) - 1]
        title = name.replace("_", " ")
        for place, (word, value) in enumerate(printed[name], start=1):
            guess = bench.guess(word)
            why = printed["misprint"] if costs[guess] <= limit else ""
            what = f"{title}, {place}: {word}"
            lines.append(figure(what, value, float(values[guess]), why))
        lines.append(figure(f"{title}, last", last, bench.spell(int(np.argmax(costs)))))
        lines.append(figure(f"{title} of {last}", least, float(values[bench.guess(last)])))
    return Reproduced(lines)


@item("wordle-weary/figure-3-4")
def letters(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce how often each letter stands in each place of an answer, and claims about it."""
    alphabet = bench.letters.alphabet.tolist()
    counts = {c: bench.letters.in_place[:, alphabet.index(ord(c))] for c in ascii_lowercase}
    table: dict[str, list[object]] = {"letter": list(ascii_lowercase.upper())}
    for i, place in enumerate(PLACES):
        table[place] = [int(each[i]) for each in counts.values()]
    frequency = bench.letters.total(bench.letters.greens)
    lines = beside(
        printed,
        float(counts["a"][0]),
        float(counts["z"][4]),
        bench.letters.answers_with("j"),
        bench.letters.answers_with("e"),
        *(float(frequency[bench.guess(word)]) for word in ("skunk", "koala", "piggy")),
    )
    return Reproduced(lines, table, {"counts": np.array(list(counts.values()))})


@item("wordle-weary/figure-6")
def codes(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the 243 codes: which cannot occur, and which do not occur with these lists."""
    count = bench.original.patterns.pattern_count
    occurs = np.bincount(bench.original.patterns.values.ravel(), minlength=count)
    colours = np.array([digits(code, 5) for code in range(count)])
    is_impossible = ((colours == GREEN).sum(axis=1) == 4) & ((colours == YELLOW).sum(axis=1) == 1)
    spell = bench.original.words.feedback.format
    never = np.flatnonzero((occurs == 0) & ~is_impossible).tolist()
    lines = beside(
        printed,
        count,
        float(is_impossible.sum()),
        yes_or_no(occurs[is_impossible].any()),
        " ".join(map(spell, never)) or "none",
        f"{spell(int(occurs.argmax()))}, {occurs.max() / occurs.sum():.1%}",
    )
    return Reproduced(lines, None, {"occurs": occurs, "is_impossible": is_impossible})


@item("wordle-weary/figure-14-15")
def matrix(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the matrix of codes between answers, and its use in one game."""
    game = bench.original
    patterns = np.asarray(game.patterns.values[:, game.words.guess_of_answer])
    size = len(patterns)
    slate, trout, first = (game.words.answers.find(w) for w in ("slate", "trout", "first"))
    rows = np.flatnonzero(patterns[:, slate] == patterns[first, slate])
    left = rows[patterns[rows, trout] == patterns[first, trout]]
    code = {guess: from_the_left(int(patterns[first, guess]), 5) for guess in (slate, trout)}
    lines = beside(
        printed,
        size**2 / 1e6,
        size * game.guess_count / 1e6,
        slate + 1,
        code[slate],
        len(rows),
        trout + 1,
        code[trout],
        first + 1,
        bench.spell_answers(left),
    )
    return Reproduced(lines, None, {"patterns": patterns})


def from_the_left(code: int, length: int) -> int:
    """Return a code as the essay numbers it: the first digit of base three counts most."""
    return sum(digit * 3 ** (length - 1 - i) for i, digit in enumerate(digits(code, length)))


@item("wordle-weary/figure-16")
def wide_matrix(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the matrix of all guesses."""
    patterns = np.asarray(bench.original.patterns.values)
    answers, guesses = patterns.shape
    size = f"{guesses:,} by {answers:,}"
    lines = beside(printed, guesses, answers, answers * guesses / 1e6, size)
    return Reproduced(lines, None, {"patterns": patterns})


@item("wordle-weary/figure-17")
def all_openers(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce the entropy of all openers by rank, with the exact totals beside it."""
    entropy, order = bench.statistics["entropy"], bench.by_entropy
    totals, is_known = bench.exact_totals(bench.original)
    distinct = len(np.unique(bench.start(bench.original).statistics().sum_nlog2n))
    best = int(np.flatnonzero(is_known)[np.argmin(totals[is_known])])
    place = int(np.flatnonzero(order == best)[0]) + 1
    lines = beside(
        printed,
        f"{bench.original.guess_count - distinct:,}",
        f"{place} ({bench.spell(best)})",
        f"{totals[order[0]]:,} ({bench.spell(order[0])})",
        f"{spearman(-entropy[is_known], totals[is_known]):.4f}",
        f"{entropy[order[999]]:.2f} to {entropy[order[10999]]:.2f}",
    )
    drawn = {"entropy": entropy[order], "totals": totals[order], "is_known": is_known[order]}
    return Reproduced(lines, None, drawn)


@item("wordle-weary/families")
def families(bench: Bench, printed: Printed) -> Reproduced:
    """Reproduce families of answers that differ in one or two letters: the traps of the endgame."""
    answers = bench.original.words.answers.words
    census: Counter[str] = Counter()
    for word in answers:
        for i in range(5):
            census[_blank(word, i)] += 1
            for j in range(i + 1, 5):
                census[_blank(_blank(word, i), j)] += 1
    lines: list[Line] = []
    for template, *value in printed["templates"]:
        what, size = f"answers like {template}", census[template.lower()]
        lines.append(figure(what, value[0], size) if value else found(what, f"{size}"))
    largest = {blanks: _largest(census, blanks) for blanks in (1, 2)}
    lines += [
        found(f"most answers with {blanks} open", f"{template.upper()}, {size}")
        for blanks, ((template, size), *_) in largest.items()
    ]
    rows = [
        (
            template.upper(), template.count("_"), size,
            " ".join(word for word in answers if _is_like(word, template)),
        )
        for template, size in (*largest[1], *largest[2])
    ]  # fmt: skip
    table = table_of(("template", "open_letters", "answers", "words"), rows)
    return Reproduced(lines, table)


def _largest(census: Counter[str], blanks: int, count: int = 20) -> list[tuple[str, int]]:
    """Return the templates with ``blanks`` open letters that the most answers match."""
    mine = [counted for counted in census.items() if counted[0].count("_") == blanks]
    return sorted(mine, key=lambda counted: (-counted[1], counted[0]))[:count]


def _blank(word: str, place: int) -> str:
    return f"{word[:place]}_{word[place + 1 :]}"


def _is_like(word: str, template: str) -> bool:
    return all(t in ("_", w) for w, t in zip(word, template, strict=True))
