"""Forgeries of certificates by rules, each a small function with a name.

A rule takes the lines of a certificate and its game. It yields forgeries: lines, the bytes of a
file, or lines with the game whose lists they are checked against.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from support.certificate_edits import Lines, entries_of, find, with_entries
from support.naive_certificates import PRICES, Certified, sha256

Forged = Lines | bytes | tuple[Lines, Certified]

WORDS = ["bat", "cat", "fat", "hat", "mat", "chf", "bfm"]
"""Rhymes, and guesses that separate some of them."""
DOUBLES = ["aa", "bb", "cc", "dd", "ee"]
"""With pegs, no guess separates two of these: each guess removes one."""
EDGES = (0, *(2**bits + by for bits in (7, 8, 15, 16, 31, 32, 40, 63, 64) for by in (-1, 0, 1)))
"""Numbers at which types wrap, or at which checkers stop accepting."""
SPELLINGS = (
    "+{}",
    "-{}",
    "0{}",
    "00{}",
    "{}x",
    "{}.0",
    "{}e0",
    "0x{}",
    "{},",
    "{}_",
    "'{}'",
    "{}L",
)
AROUND = (" {}", "\t{}", "{} ", "{}\0", "{}\r", "{}\u00a0", "\u200b{}", "\ufeff{}")
"""Other spellings of a number, and texts that may stand beside it."""


def certificates() -> Iterator[tuple[str, Certified, Lines]]:
    """Yield certificates of all kinds, with their names and games."""
    rhymes = WORDS[:5]
    for name, (prices, then) in PRICES.items():
        guesses = rhymes if name == "fewest failures" else WORDS
        yield name, (game := Certified(guesses, rhymes, "normal", prices, then)), game.certificate()
    for rule in "candidates", "hard", "ultra-hard":
        yield rule, (game := Certified(WORDS, rhymes, rule)), game.certificate()
    game = Certified(WORDS, rhymes, weights=(3, 1, 1, 0, 2))
    yield "weights", game, game.certificate()
    game = Certified(rhymes, rhymes, prices=(1, 2, 3), then="infeasible")
    yield "lost", game, game.certificate()
    game = Certified(DOUBLES, DOUBLES, feedback="pegs")
    yield "pegs", game, game.certificate()
    yield "renamings", game, game.certificate(by_form=True)
    game = Certified(rhymes, rhymes)
    yield "symmetries", game, game.certificate(None, [[*rhymes[1:], rhymes[0]]])


def forged(lines: Lines, game: Certified) -> Iterator[tuple[str, Certified, bytes]]:
    """Yield all forgeries of a certificate: the rule, the game of its lists, and the file."""
    true = "".join(f"{line}\n" for line in lines).encode()
    for rule in FORGING:
        for made in rule(list(lines), game):
            text, of = made if isinstance(made, tuple) else (made, game)
            if not isinstance(text, bytes):
                text = "".join(f"{line}\n" for line in text).encode()
            if text != true or of is not game:
                yield rule.__name__, of, text


def instead(lines: Lines, place: int, *new: str) -> Lines:
    """Return the lines with one line replaced by others."""
    return [*lines[:place], *new, *lines[place + 1 :]]


def numbers(lines: Lines) -> list[tuple[int, int]]:
    """Return line and word of numbers: one of each kind, and those of three entries."""
    kinds: dict[object, tuple[int, int]] = {}
    ledger = find(lines, "ledger")
    for i, line in enumerate(lines[1:], 1):
        for w, word in enumerate(line.split(" ")):
            if word.isdigit():
                first = line.split(" ")[0]
                kind = (
                    (i - ledger) % 3 if i > ledger else first if not first.isdigit() else "weight"
                )
                kinds[kind, w] = i, w
    return [*kinds.values()]


def with_word(lines: Lines, place: tuple[int, int], word: str) -> Lines:
    """Return the lines with one word replaced."""
    words = lines[place[0]].split(" ")
    words[place[1]] = word
    return instead(lines, place[0], " ".join(words))


def changed_entries(lines: Lines, by: int) -> Iterator[Lines]:
    """Yield the lines with the bound of one entry changed, for each entry."""
    entries = entries_of(lines)
    for i, entry in enumerate(entries):
        bound, rest = entry.split(" ", 1)
        if bound.isdigit() and int(bound) + by >= 0:
            yield with_entries(lines, instead(entries, i, f"{int(bound) + by} {rest}"))


def raise_a_bound(lines: Lines, game: Certified) -> Iterator[Forged]:
    for by in 1, 2, 256, 65536:
        yield from changed_entries(lines, by)


def lower_a_bound(lines: Lines, game: Certified) -> Iterator[Forged]:
    yield from changed_entries(lines, -1)


def raise_all_bounds(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Raise all bounds: each entry then rests on others that are too high by as much."""
    for by in 1, 2, 5:
        entries = [entry.split(" ", 1) for entry in entries_of(lines)]
        raised = [f"{int(b) + by} {rest}" if b.isdigit() else f"{b} {rest}" for b, rest in entries]
        for order in raised, raised[::-1], [*raised, *raised]:
            yield with_entries(lines, order)


def raise_claims(lines: Lines, game: Certified) -> Iterator[Forged]:
    for names in ["opener"], ["others"], ["strategy"], ["opener", "strategy"], ["opener", "others"]:
        for by in 1, 5, 256, 65536, 2**32:
            new = list(lines)
            for name in names:
                *words, number = new[find(lines, name)].split(" ")
                if number.isdigit():
                    new[find(lines, name)] = " ".join([*words, str(int(number) + by)])
            if new != lines:
                yield new


def tell_nothing(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Add entries of bound 0, and entries that repeat a known bound."""
    entries = entries_of(lines)
    for i, entry in enumerate(entries):
        bound, rest = entry.split(" ", 1)
        yield with_entries(lines, instead(entries, i, f"0 {rest}"))
        yield with_entries(lines, [*entries[: i + 1], *entries[i:]])
        if bound.isdigit():
            yield with_entries(lines, [*entries, f"{int(bound) - 1} {rest}"])
    yield with_entries(lines, [*entries, *entries])


def drop_entries(lines: Lines, game: Certified) -> Iterator[Forged]:
    entries = entries_of(lines)
    for i in range(len(entries)):
        yield with_entries(lines, instead(entries, i))
        yield with_entries(lines, entries[:i])
    yield instead(lines, find(lines, "ledger"), f"ledger {len(entries) - 1}")
    yield instead(lines, find(lines, "ledger"), f"ledger {len(entries) + 1}")
    yield instead(lines, len(lines) - 2)


def reorder_entries(lines: Lines, game: Certified) -> Iterator[Forged]:
    entries = entries_of(lines)
    yield with_entries(lines, entries[::-1])
    for i in range(1, len(entries)):
        yield with_entries(lines, [*entries[i:], *entries[:i]])


def other_paths(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Give entries the paths of other states, for which their bounds are false."""
    entries = entries_of(lines)
    for i, entry in list(enumerate(entries))[-6:]:
        bound, kind, *path, last = entry.split(" ")
        for words in (
            [last],
            [*path, "zzz"],
            ["zzz", last],
            [*path, *path, last],
            [*path, last, last],
            path,
            [last, *path],
            [*[path[0]] * 29, last],
            [*[path[0]] * 30, last],
            *([guess, last] for guess in game.guesses),
            *([*path, answer] for answer in game.answers),
        ):
            yield with_entries(lines, instead(entries, i, " ".join([bound, kind, *words])))


def sets_for_paths(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Name states of the ledger by answers: right ones, too few, too many, repeated, mixed."""
    entries = entries_of(lines)
    for i, entry in list(enumerate(entries))[-4:]:
        bound, _, *path, last = entry.split(" ")
        alike = [
            a for a in game.answers if all(game.seen(g, a) == game.seen(g, last) for g in path)
        ]
        for turn, answers in (
            *((turn, alike) for turn in (len(path), 0, 1, 2, 3, 28, 29, 30, 2**32 + 1)),
            (len(path), alike[1:]),
            (len(path), alike[::-1]),
            (len(path), [*alike, alike[0]]),
            (len(path), [*alike, "zzz"]),
            (len(path), game.answers),
            (1, []),
        ):
            line = " ".join([bound, "set", str(turn), *answers])
            yield with_entries(lines, instead(entries, i, line))


def rest_on_itself(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Add two entries, each of which would be true if the other were."""
    entries = entries_of(lines)
    for one, other in pairwise(entries):
        bounds = [entry.split(" ", 1) for entry in (one, other)]
        raised = [f"{int(b) + 1} {rest}" for b, rest in bounds if b.isdigit()]
        yield with_entries(lines, [*entries, *raised])
        yield with_entries(lines, [*raised, *entries])
    whole = " ".join(["set 1", *game.answers])
    for bound in 2 * len(game.answers), 3 * len(game.answers), 50, "infeasible":
        yield with_entries(lines, [*entries, f"{bound} {whole}"])
        yield with_entries(lines, [f"{bound} {whole}", f"{bound} {whole}", *entries])


def change_the_strategy(lines: Lines, game: Certified) -> Iterator[Forged]:
    place = find(lines, "strategy")
    if lines[place] == "strategy none":
        return
    first, count = place + 1, len(game.answers)
    paths = lines[first : first + count]
    rest = lines[first + count :]
    for i, line in enumerate(paths):
        *path, last = line.split(" ")
        for new in (
            [],
            [line, line],
            [f"{line} {last}"],
            [" ".join([*path, path[0] if path else last, last])],
            [" ".join([*[(path or [last])[0]] * 29, last])],
            [" ".join([*[(path or [last])[0]] * 30, last])],
            [last],
            [" ".join([game.guesses[-1], *path[1:], last])],
            [" ".join([*path, "zzz"])],
            [paths[i - 1]],
        ):
            yield [*lines[:first], *paths[:i], *new, *paths[i + 1 :], *rest]
    yield [*lines[:first], *paths[::-1], *rest]
    yield instead(lines, place, "strategy none")


def change_the_game(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Change rule, feedback or prices, but not the bounds."""
    for rule in "normal", "candidates", "hard", "ultra-hard", "Normal", "n":
        yield instead(lines, 4, f"rule {rule}")
    for feedback in "letters", "pegs", "letter":
        yield instead(lines, 3, f"feedback {feedback}")
    for prices, then in PRICES.values():
        yield instead(lines, 5, f"prices {' '.join(map(str, prices))} then {then}")
    for prices in (
        "1 then 1",
        "1 then 0",
        "1 1 then +1",
        "0 then +1",
        "0 then infeasible",
        "infeasible then infeasible",
        "2 1 then +1",
        "1 then +2",
        "1 then -1",
        "1 then +01",
        "1 then",
        "then +1",
        "1 then +1 then +1",
        f"1 then {2**40 - 1}",
        f"1 then {2**40}",
        f"{2**40 - 81} then +1",
        f"1 {2**39} then {2**39}",
        " ".join(["1"] * 30) + " then +1",
        " ".join(["1"] * 31) + " then +1",
    ):
        yield instead(lines, 5, f"prices {prices}")


def change_the_weights(lines: Lines, game: Certified) -> Iterator[Forged]:
    place, old = 6, len(game.answers) if game.weights else 0
    for weights in (
        [1] * len(game.answers),
        [2] * len(game.answers),
        [0] * len(game.answers),
        [*[0] * (len(game.answers) - 1), 1],
        [2**39] * len(game.answers),
        [2**40 - 1, *[1] * (len(game.answers) - 1)],
        [2**62] * len(game.answers),
        [2**64, *[1] * (len(game.answers) - 1)],
        ["01", *[1] * (len(game.answers) - 1)],
        [-1, *[1] * (len(game.answers) - 1)],
        [1] * (len(game.answers) - 1),
        [1] * (len(game.answers) + 1),
    ):
        given = [f"weights {sha256(weights)}", *map(str, weights)]
        yield [*lines[:place], *given, *lines[place + 1 + old :]]
        yield [*lines[:place], f"weights {'0' * 64}", *given[1:], *lines[place + 1 + old :]]
    yield [*lines[:place], "weights equal", *lines[place + 1 + old :]]
    yield instead(lines, place, "weights")


def change_the_lists(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Change the words under the claims, with the right hashes."""
    guesses, answers = [*game.guesses], [*game.answers]
    spoilt = [answers[0] + end for end in ("", "t", "\r", " ", "\0", "\t", "é", "\n")]
    for new_guesses, new_answers in (
        (guesses[::-1], answers),
        (guesses, answers[::-1]),
        (guesses[:-1], answers),
        (guesses, answers[:-1]),
        (guesses, [*answers, "zzz"]),
        ([*guesses, guesses[0]], answers),
        (guesses, [*answers, answers[0]]),
        ([*guesses, "yyyy"], answers),
        ([*guesses, "z" * len(guesses[0])], answers),
        (guesses, []),
        ([], []),
        ([guess.upper() for guess in guesses], [answer.upper() for answer in answers]),
        ([guess * 6 for guess in guesses], [answer * 6 for answer in answers]),
        ([guess[0] for guess in guesses], [answer[0] for answer in answers]),
        *(([*guesses[1:], word], answers) for word in spoilt),
        *(([*guesses, word], [*answers[1:], word]) for word in spoilt),
    ):
        weights = None if game.weights is None else (1,) * len(new_answers)
        of = replace(game, guesses=new_guesses, answers=new_answers, weights=weights)
        yield [lines[0], *of.header()[1:3], *lines[3:]], of
        yield lines, of


def change_symmetries(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Change symmetries to maps that are none, or their number."""
    place = find(lines, "opener")
    head, rest = lines[:place], lines[place:]
    if any(line.startswith("symmetries ") for line in lines):
        head = lines[: find(lines, "symmetries")]
        yield [*head, *rest]
    words, rng = [*game.guesses], random.Random(1)
    turned = " ".join([*words[1:], words[0]])
    swapped = " ".join([words[1], words[0], *words[2:]])
    for symmetries in (
        [" ".join(words)],
        [turned],
        [swapped],
        [turned, swapped],
        *([" ".join(rng.sample(words, len(words)))] for _ in range(4)),
        [" ".join([words[0], *words[:-1]])],
        [" ".join(words[:-1])],
        [" ".join([*words, words[0]])],
    ):
        yield [*head, f"symmetries {len(symmetries)}", *symmetries, *rest]
        yield [*head, f"symmetries {len(symmetries) + 1}", *symmetries, *rest]
        yield [*head, f"symmetries {2**32 + len(symmetries)}", *symmetries, *rest]
    for count in "0", "all", "none", "-1", "all all", "infeasible", "":
        yield [*head, f"symmetries {count}", *rest]
    yield [*head, "symmetries all", "symmetries all", *rest]


def numbers_at_edges(lines: Lines, game: Certified) -> Iterator[Forged]:
    for place in numbers(lines):
        true = int(lines[place[0]].split(" ")[place[1]])
        for edge in {*EDGES, *(true + 2**bits for bits in (8, 16, 32, 40, 64)), true}:
            if edge != true:
                yield with_word(lines, place, str(edge))
        for text in "infeasible", "none", "9" * 40, "9" * 10_000, "":
            yield with_word(lines, place, text)


def numbers_spelled_otherwise(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Yield texts that are no numbers, or are spelled otherwise. All must be refused."""
    arabic = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
    for place in numbers(lines):
        true = lines[place[0]].split(" ")[place[1]]
        for spelling in (*SPELLINGS, *AROUND):
            yield with_word(lines, place, spelling.format(true))
        for spelling in "{}", *SPELLINGS:
            yield with_word(lines, place, spelling.format(2**40))
        yield with_word(lines, place, true.translate(arabic))


def swap_lines(lines: Lines, game: Certified) -> Iterator[Forged]:
    for i in range(min(len(lines) - 1, 12)):
        yield [*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]
        yield [*lines[:i], *lines[i + 1 :]]
        yield [*lines[: i + 1], *lines[i:]]


def cut(lines: Lines, game: Certified) -> Iterator[Forged]:
    text = "".join(f"{line}\n" for line in lines).encode()
    for size in range(0, len(text), 1 + len(text) // 24):
        yield text[:size]
        yield text[size:]
    yield text[:-1]


def go_on(lines: Lines, game: Certified) -> Iterator[Forged]:
    text = "".join(f"{line}\n" for line in lines).encode()
    for more in b"\n", b"end\n", b" ", b"\0", b"\xff", b"\r\n", b"\x1a", b"x" * 100_000, text:
        yield text + more
        yield more + text


def spoil_blanks(lines: Lines, game: Certified) -> Iterator[Forged]:
    """Change blanks and ends of lines, also to NUL bytes."""
    text = "".join(f"{line}\n" for line in lines).encode()
    for new in b"  ", b"\t", b"\0", b"\x0b", b"\x0c", b"\xa0", b" \0", b"_", b"":
        for old in b" ", b"opener ", b"ledger ", b"strategy ":
            yield text.replace(old, old[:-1] + new)
    for new in (
        b"\r\n",
        b"\r",
        b" \n",
        b"\n\n",
        b"\0\n",
        b"\n ",
        b"\x85",
        b"\x0b\n",
        b"\xe2\x80\xa8",
    ):
        yield text.replace(b"\n", new)
        yield text.replace(b"\n", new, 1)
        yield text.replace(b"\nledger", new + b"ledger")
        yield text[:-1] + new
    for codec in "utf-16", "utf-32", "utf-8-sig", "cp037":
        yield text.decode().encode(codec)


def very_long_lines(lines: Lines, game: Certified) -> Iterator[Forged]:
    for i in (0, 1, 3, 5, 6, find(lines, "opener"), find(lines, "strategy") + 1, len(lines) - 2):
        yield instead(lines, i, lines[i] + "x" * 100_000)
        yield instead(lines, i, lines[i] + f" {lines[i].split(' ')[-1]}" * 20_000)
        yield instead(lines, i, "y" * 63 + " " + lines[i])


def spell_words_otherwise(lines: Lines, game: Certified) -> Iterator[Forged]:
    text = "\n".join(lines)
    yield text.upper().splitlines()
    yield text.title().splitlines()
    for word in {line.split(" ")[0] for line in lines if line[0].isalpha()}:
        for new in word.upper(), f"{word}:", word[:-1], f"{word}s":
            yield text.replace(word, new, 1).splitlines()
    for digest in (hashlib.sha1(b"").hexdigest(), "f" * 64, "F" * 64, "", "f" * 63, "f" * 65):
        yield instead(lines, 1, f"guesses {len(game.guesses)} {digest}")
    yield instead(lines, 1, lines[1].upper().replace("GUESSES", "guesses"))


FORGING = (
    raise_a_bound,
    lower_a_bound,
    raise_all_bounds,
    raise_claims,
    tell_nothing,
    drop_entries,
    reorder_entries,
    other_paths,
    sets_for_paths,
    rest_on_itself,
    change_the_strategy,
    change_the_game,
    change_the_weights,
    change_the_lists,
    change_symmetries,
    numbers_at_edges,
    numbers_spelled_otherwise,
    swap_lines,
    cut,
    go_on,
    spoil_blanks,
    very_long_lines,
    spell_words_otherwise,
)
