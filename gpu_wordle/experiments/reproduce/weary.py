"""Hayes: letters, codes, the matrix of codes, and openers by a statistic of their feedback.

"Words for the Wordle-Weary", 2022. Its whole games are in ``weary_games``.
"""

from __future__ import annotations

from collections import Counter
from string import ascii_lowercase

import numpy as np

from gpu_wordle.experiments.rank_correlation import spearman
from gpu_wordle.experiments.reproduce.bench import Bench
from gpu_wordle.experiments.reproduce.item import (
    Item,
    Line,
    Reproduced,
    Source,
    figure,
    found,
    words,
)
from gpu_wordle.game.feedback import GREEN, YELLOW, digits

PLACES = ("first", "second", "third", "fourth", "fifth")

ENTROPY = (
    ("SOARE", "5.886"), ("ROATE", "5.883"), ("RAISE", "5.878"), ("RAILE", "5.866"),
    ("REAST", "5.865"), ("SLATE", "5.858"), ("CRATE", "5.835"), ("SALET", "5.835"),
    ("IRATE", "5.831"), ("TRACE", "5.831"), ("ARISE", "5.821"), ("ORATE", "5.817"),
    ("STARE", "5.807"), ("CARTE", "5.795"), ("RAINE", "5.787"),
)  # fmt: skip
DEVIATION = (
    ("ROATE", "22.02"), ("RAISE", "22.14"), ("RAILE", "22.22"), ("SOARE", "22.42"),
    ("ARISE", "22.72"), ("IRATE", "22.73"), ("ORATE", "22.76"), ("ARIEL", "23.05"),
    ("AROSE", "23.20"), ("RAINE", "23.41"), ("ARTEL", "23.50"), ("TALER", "23.55"),
    ("RATEL", "23.97"), ("AESIR", "23.98"), ("ARLES", "23.98"),
)  # fmt: skip
PARTS = (
    ("TRACE", "150"), ("CRATE", "148"), ("SALET", "148"), ("SLATE", "147"), ("REAST", "147"),
    ("PARSE", "146"), ("CARTE", "146"), ("CARET", "145"), ("PEART", "145"), ("CARLE", "144"),
    ("CRANE", "142"), ("STALE", "142"), ("EARST", "142"), ("HEART", "141"), ("REIST", "141"),
)  # fmt: skip
TABLE_1 = (
    ("entropy", True, ENTROPY, ("QAJAQ", "1.892")),
    ("standard_deviation", False, DEVIATION, ("IMMIX", "95.5")),
    ("parts", True, PARTS, ("QAJAQ", "18")),
)


def openers(bench: Bench) -> Reproduced:
    """The fifteen openers of each statistic, and its last one."""
    lines = []
    for name, most_first, printed, (last, least) in TABLE_1:
        values = np.asarray(bench.statistics[name], np.float64)
        ranked = np.sort(-values if most_first else values)
        title = name.replace("_", " ")
        misprint = "A misprint: the fourteen other figures of the list agree to the last digit."
        for place, (word, value) in enumerate(printed):
            mine = float(values[bench.guess(word)])
            is_there = (-mine if most_first else mine) <= ranked[len(printed) - 1]
            why = misprint if is_there else ""
            lines.append(figure(f"{title}, {place + 1}: {word}", value, mine, explanation=why))
        worst = int(np.argmin(values) if most_first else np.argmax(values))
        spelled = bench.original.words.guesses.words[worst].upper()
        lines.append(words(f"{title}, last", last, spelled))
        lines.append(figure(f"{title} of {last}", least, float(values[bench.guess(last)])))
    return Reproduced(lines)


def letters(bench: Bench) -> Reproduced:
    """How often each letter stands in each place of an answer, and what is said of that table."""
    counts = {
        letter: bench.letters.in_place[:, np.flatnonzero(bench.letters.alphabet == ord(letter))[0]]
        for letter in ascii_lowercase
    }
    table: dict[str, list[object]] = {"letter": list(ascii_lowercase.upper())}
    for i, place in enumerate(PLACES):
        table[place] = [int(counts[letter][i]) for letter in ascii_lowercase]
    frequency = bench.letters.total(bench.letters.greens)
    lines = [
        figure("answers with A first", "141", float(counts["a"][0])),
        figure("answers with Z last", "4", float(counts["z"][4])),
        figure("answers that JIFFY without a J removes", "27", bench.letters.answers_with("j")),
        figure("answers that EDICT without an E removes", "1,056", bench.letters.answers_with("e")),
        *(
            figure(f"letter frequency of {word}", value, float(frequency[bench.guess(word)]))
            for word, value in (("SKUNK", "836"), ("KOALA", "832"), ("PIGGY", "851"))
        ),
    ]
    drawn = {"counts": np.array([counts[letter] for letter in ascii_lowercase])}
    return Reproduced(lines, table, drawn)


def codes(bench: Bench) -> Reproduced:
    """The 243 codes: which cannot occur, and which do not with these lists."""
    count = bench.original.patterns.pattern_count
    occurs = np.bincount(bench.original.patterns.values.ravel(), minlength=count)
    colours = np.array([digits(code, 5) for code in range(count)])
    is_impossible = ((colours == GREEN).sum(axis=1) == 4) & ((colours == YELLOW).sum(axis=1) == 1)
    spell = bench.original.words.feedback.format
    share = occurs.max() / occurs.sum()
    never = np.flatnonzero((occurs == 0) & ~is_impossible).tolist()
    lines = [
        figure("codes", "243", count),
        figure("codes that can never occur", "5", float(is_impossible.sum())),
        words("do these occur?", "no", "yes" if occurs[is_impossible].any() else "no"),
        found("further codes that no guess and answer of the lists give",
              " ".join(map(spell, never)) or "none"),
        found("most frequent code", f"{spell(int(occurs.argmax()))}, {share:.1%}"),
    ]  # fmt: skip
    return Reproduced(lines, None, {"occurs": occurs, "is_impossible": is_impossible})


def matrix(bench: Bench) -> Reproduced:
    """The matrix of codes of the answers against each other, and its use for one game."""
    game = bench.original
    answers = game.words.guess_of_answer
    patterns = np.asarray(game.patterns.values[:, answers])
    size = len(answers)
    slate, trout, first = (game.words.answers.find(w) for w in ("slate", "trout", "first"))
    rows = np.flatnonzero(patterns[:, slate] == patterns[first, slate])
    left = rows[patterns[rows, trout] == patterns[first, trout]]
    # the essay reads a code from the left, as digits of base three
    code = sum(3 ** (4 - i) * d for i, d in enumerate(digits(int(patterns[first, slate]), 5)))
    again = sum(3 ** (4 - i) * d for i, d in enumerate(digits(int(patterns[first, trout]), 5)))
    lines = [
        figure("pairings, millions", "5.4", size**2 / 1e6),
        figure("with all guesses, millions", "30", size * game.guess_count / 1e6),
        figure("column of SLATE", "1778", slate + 1),
        figure("code of SLATE when FIRST is hidden", "84", code),
        figure("rows with that code", "24", len(rows)),
        figure("column of TROUT", "2118", trout + 1),
        figure("code of TROUT", "29", again),
        figure("row of FIRST", "743", first + 1),
        words("what is left", "FIRST", " ".join(game.spell(answers[left])).upper()),
    ]
    return Reproduced(lines, None, {"patterns": patterns})


def wide_matrix(bench: Bench) -> Reproduced:
    """The matrix of all guesses."""
    game = bench.original
    answers, guesses = game.patterns.values.shape
    lines = [
        figure("columns", "12,972", guesses),
        figure("rows", "2,315", answers),
        figure("elements, millions", "30", answers * guesses / 1e6),
    ]
    return Reproduced(lines, None, {"patterns": np.asarray(game.patterns.values)})


def all_openers(bench: Bench) -> Reproduced:
    """Entropy of all openers by their rank, with the exact total beside it."""
    entropy = np.asarray(bench.statistics["entropy"], np.float64)
    totals, is_known = bench.exact_totals(bench.original)
    order = np.argsort(-entropy, kind="stable")
    distinct = len(np.unique(bench.start(bench.original).statistics().sum_nlog2n))
    spelled = bench.original.words.guesses.words
    best = int(np.flatnonzero(is_known)[np.argmin(totals[is_known])])
    place = int(np.flatnonzero(order == best)[0]) + 1
    correlation = spearman(-entropy[is_known], totals[is_known])
    tied = bench.original.guess_count - distinct
    lines = [
        words("openers that tie in entropy", "0", f"{tied:,}",
              "Openers with parts of the same sizes have the same entropy, whatever rounding makes "
              "of it: no total order."),
        found("rank by entropy of the best opener", f"{place} ({spelled[best].upper()})"),
        found("exact total of the opener of most entropy",
              f"{totals[order[0]]:,} ({spelled[order[0]].upper()})"),
        found("rank correlation of entropy and exact total (Spearman)", f"{correlation:.4f}"),
        found("bits between the openers ranked 1,000 and 11,000",
              f"{entropy[order[999]]:.2f} to {entropy[order[10999]]:.2f}"),
    ]  # fmt: skip
    drawn = {"entropy": entropy[order], "totals": totals[order], "is_known": is_known[order]}
    return Reproduced(lines, None, drawn)


def families(bench: Bench) -> Reproduced:
    """Answers alike but for one letter, or two: the traps of the endgame, over all templates."""
    answers = bench.original.words.answers.words
    census: Counter[str] = Counter()
    for word in answers:
        for i in range(5):
            census[_blank(word, i)] += 1
            for j in range(i + 1, 5):
                census[_blank(_blank(word, i), j)] += 1
    lines: list[Line] = [
        figure(f"answers like {template.upper()}", value, census[template])
        for template, value in (("s__er", "12"), ("_o_er", "25"), ("_a_er", "29"))
    ]
    lines += [
        found(f"answers like {template.upper()}", f"{census[template]}")
        for template in ("_ight", "_atch", "_ough", "_ound", "_aste", "_aunt")
    ]
    largest = {blanks: _largest(census, blanks) for blanks in (1, 2)}
    lines += [
        found(f"most answers with {blanks} open", f"{template.upper()}, {size}")
        for blanks, ((template, size), *_) in largest.items()
    ]
    rows = [*largest[1], *largest[2]]
    table: dict[str, list[object]] = {
        "template": [template.upper() for template, _ in rows],
        "open_letters": [template.count("_") for template, _ in rows],
        "answers": [size for _, size in rows],
        "words": [" ".join(w for w in answers if _is_like(w, template)) for template, _ in rows],
    }
    return Reproduced(lines, table)


def _largest(census: Counter[str], blanks: int, count: int = 20) -> list[tuple[str, int]]:
    """The templates with so many open letters that most answers are like."""
    mine = [item for item in census.items() if item[0].count("_") == blanks]
    return sorted(mine, key=lambda item: (-item[1], item[0]))[:count]


def _blank(word: str, place: int) -> str:
    return f"{word[:place]}_{word[place + 1 :]}"


def _is_like(word: str, template: str) -> bool:
    return all(t in ("_", w) for w, t in zip(word, template, strict=True))


ITEMS = (
    Item(Source.WEARY, "table-1", "The best openers by three statistics", openers),
    Item(Source.WEARY, "figure-3-4", "Letters by their places", letters),
    Item(Source.WEARY, "figure-6", "The codes of feedback", codes),
    Item(Source.WEARY, "figure-14-15", "The matrix of the answers", matrix),
    Item(Source.WEARY, "figure-16", "The matrix of all guesses", wide_matrix),
    Item(Source.WEARY, "figure-17", "Entropy of all openers", all_openers),
    Item(Source.WEARY, "families", "Families of the endgame", families),
)
