"""Wrong command lines, drawn from the options that each verb has."""

from __future__ import annotations

import gzip
import os
import random
import shutil
from functools import cache
from pathlib import Path

from scripts.fuzz.child import call
from scripts.fuzz.game import LISTS, write_game

# fmt: off
LONG = "x" * 5000
STRANGE = [
    "", " ", "ü", "ß" * 5, "٣", "１", "\u202eevil", "a\x1b[31mb", "a\nb", "\t", "[bold]io", "[/]",
    "%s", "{0}", "$(id)", "-", "--", "*", "nan", "inf", "NULL", "'\"", "\\", "🟩🟩🟩", LONG,
    "e\u0301", "\udcff", "a,b", "9" * 5000, "1_0", "0x10", "1e3", "+-1", "-0.0",
]
NUMBERS = [
    "-1", "1.5", "x", "", " ", "nan", "inf", "1e3", "1_0", "٣", "9" * 19, "9" * 5000, "0x1", "--1",
    "1,000", "½", "\x1b[0m", "1;2", "None",
]
SIZES = [*NUMBERS, "0"]
PATHS = [
    "missing.txt", "folder", "loop", "dangling", "fifo", "/dev/zero", "/dev/null", "/dev/tty",
    "binary.bin", "empty.txt", "bomb.gz", "huge.txt", "secret.txt", "guesses.txt/x", LONG, "",
    "deep.json", "words.xlsx", "long-words.txt", "twice.txt", "control.txt", "latin1.txt", ".",
    "link.h5", "no/such/folder/file.h5", "\udcff.txt", "a\nb.txt", "[bold].txt", "\x1b[31m",
]
RESULTS = [*PATHS, "guesses.txt", "weights.csv", "binary.h5", "empty.json"]
WORDS = [*STRANGE, "zzz", "ba"]
QUESTIONED = [*STRANGE, "zzz", "chf"]
PICTURES = ["s", "s.bmp", "no/such/s.svg", "folder.svg", "answers.txt", "", f"{LONG}.svg"]
DECIMALS = [each for each in NUMBERS if each not in ("1.5", "1e3")]
WRONG: dict[str, list[str]] = {
    "--guesses": [
        *PATHS, "mastermind", "mastermind:", "mastermind:0x6", "mastermind:4x0", "mastermind:99x99",
        "mastermind:4x", "mastermind:axb", "bulls-and-cows:5x4", "bulls-and-cows:-1x4",
        "mastermind:٤x6", "originl", "empty.csv", "bad.csv", "uneven.csv", "binary.csv", "nyt-1999",
    ],
    "--answers": [*PATHS, "mastermind:4x6", "original"],
    "--state": [
        "chf", "chf BB", "chf BBBB", "chf BBQ", "xxx BBB", "chf=BBB=BBB", "=BBB", "chf=", "GGG chf",
        "chf BBB chf GGG", "bat GGG cat GGG", "chf 333", "chf 🟩🟩", "chf -y", "chf BBB mps",
        "chf GGG", "bat YYY", " = ", "chf\x00BBB", *(each for each in STRANGE if each.strip()),
    ],
    "--rule": [*STRANGE, "harder", "hard mode", "0"],
    "--max-guesses": [*NUMBERS, "255", "100000"],
    "--objective": [
        *STRANGE, "means", "within", "within:", "within:x", "within:-1", "within:0", "within:99",
        "cost:", "cost:2,1", "cost:1,x", "cost:-1,2", "cost:1.5", "mean,mean", "worst,mean",
        "cost:" + "9" * 99, "cost:" + ",".join("1" * 999), "within:" + "9" * 99, ",",
    ],
    "--weights": [
        "no-weights.csv", "zero.csv", "negative.csv", "few.csv", "double.csv", "nan.csv",
        "huge.csv", "guesses.txt", "folder", "fifo", "/dev/zero", "missing.csv", "binary.bin",
        "empty.txt",
    ],
    "--backend": [*STRANGE, "gpu", "cuda", "cpu,cuda"],
    **dict.fromkeys(["--threads", "--table-size", "--device-memory", "--budget"], SIZES),
    **dict.fromkeys(["--runs", "--points"], SIZES),
    **dict.fromkeys(["--top", "--sample", "--seed", "--pairs", "--episodes"], NUMBERS),
    **dict.fromkeys(["--rate", "--discount", "--exploration", "--initial"], DECIMALS),
    "--words": [*NUMBERS, "1", "99"],
    "--depth": [*NUMBERS, "0", "9"],
    "--port": [*NUMBERS, "65536"],
    "--openers": [*NUMBERS, "0", "5"],
    "--exact": [*NUMBERS, "some", "all,1"],
    "--levels": [*(each for each in NUMBERS if each != "1.5"), "1,1", "100", "0.00001", ","],
    "--time-limit": [
        *(each for each in NUMBERS if each != "1.5"), "0", "10x", "m", "1h-1m", "9" * 12, "s10",
    ],
    "--format": [*STRANGE, "xml", "JSONL", "table,csv"],
    "--by": [*STRANGE, "totals"],
    "--shard": [*STRANGE, "0/2", "3/2", "1/0", "1/", "/2", "1/2/3", "a/b"],
    "--pool": [*STRANGE, "some"],
    "--ties": [*STRANGE, "first"],
    "--umpire": [*STRANGE, "blind"],
    "--kind": [*STRANGE, "loud"],
    "--small": [*STRANGE, "tiny"],
    "--role": [*STRANGE, "judge"],
    "--colours": [*STRANGE, "red"],
    **dict.fromkeys(["--opener", "--first"], WORDS),
    **dict.fromkeys(["--explain", "--answer", "--target"], QUESTIONED),
    "--cluster": [*STRANGE, "local:", "local:0", "local:x", "local:-1", "host:8786", "tcp://"],
    "--paste": [each for each in PATHS if each != "/dev/tty"],
    **dict.fromkeys(["--games", "--past"], PATHS),
    "--plot": PICTURES,
    "--out": [
        "r.csv", "r", "folder", "folder.h5", "loop.h5", "no/such/r.h5", "/dev/null", "binary.h5",
        "fifo", "", ".", "/proc/r.h5", "t.h5", f"{LONG}.h5",
    ],
    "--tree": [
        "t", "t.xml", "folder.json", "no/such/t.json", "dangling.txt", "answers.txt", "r.h5",
        "/dev/null", "", f"{LONG}.txt", "fifo",
    ],
    "--certificate": [
        "t.txt", "r.h5", "answers.txt", "folder", "no/such/c.txt", "dangling.txt", "/dev/null", "",
        ".", f"{LONG}.txt", "fifo",
    ],
    "--trees": ["answers.txt", "no/such/folder", "", LONG, "fifo", "/dev/null"],
    "--export": ["answers.txt", "folder/x/y", "", LONG, "fifo", "/dev/null", "."],
}
"""Wrong values of options, for any verb."""
WRONG_OF: dict[str, dict[str, list[str]]] = {
    "rank": {"--by": [*WRONG["--by"], "max part"]},
    "solve": {"": [*WORDS, "bats"]},
    "merge": {"": [*PATHS, "t.h5", "binary.h5", "guesses.txt"]},
    "guarantee": {"": WORDS},
    "spectrum": {"": WORDS},
    "verify": {"": RESULTS},
    "simulate": {
        "": [*STRANGE, "part", "beam:0", "beam:x", "opening:zzz:parts", "rollout:"],
        "--opener": [*WORDS, "chf zzz", "all chf"],
    },
    "noise": {"--opener": [*WORDS, "chf mps"]},
    "compare": {"": [*STRANGE, "part"]},
    "report": {"": RESULTS, "--out": [*PICTURES, "r.doc"]},
    "plot": {"": [*STRANGE, "opener", "matrix"], "--out": PICTURES},
    "suggest": {
        "": [*(each for each in STRANGE if each != "-"), "zzz", "chf BBBB", "bat GGG cat GGG"],
        "--by": [*WRONG["--by"], "total,max part"],
    },
    "serve": {"": [*PATHS, "t.h5", "binary.h5", "guesses.txt"]},
    "reproduce": {"": [*STRANGE, "everything"], "--out": WRONG["--trees"]},
}
"""Wrong values for one verb alone; those of its arguments are under the empty name."""
UNTRIED = frozenset({
    *((verb, "--state") for verb in ("simulate", "compare", "pairs", "noise", "learn")),
    *(
        (verb, f"--{option}")
        for verb in ("report", "plot")
        for option in (
            "answers", "backend", "format", "guesses", "max-guesses", "objective", "rule", "state",
            "threads", "weights",
        )
    ),
    ("analyse", "--out"),
    ("suggest", "--paste"),
})
"""Options of verbs for which none of these values is always wrong."""

RIGHT = {
    **{verb: ["chf"] for verb in ("solve", "guarantee", "spectrum")},
    **{verb: ["chf", "BBB"] for verb in ("suggest", "analyse")},
    "verify": ["t.txt"],
    "merge": ["r.h5", "--out", "whole.h5"],
    "simulate": ["parts"],
    "compare": ["parts", "greens"],
    "report": ["r.h5"],
    "plot": ["openers", "r.h5"],
    "reproduce": ["optimal-strategies/greens"],
}
"""Right values of arguments."""
WITHOUT_GAME = ("info", "warm", "strategies", "reproduce", "report", "plot", "merge")

CONTRADICTIONS = [
    ["rank", *LISTS, "--fresh"], ["rank", *LISTS, "--json", "--format", "csv"], ["rank", "chf"],
    ["rank", "--guesses", "game.csv", "--rule", "hard"], ["rank", "--guesses"], ["RANK", *LISTS],
    ["rank", "--xyz"], ["rank", *LISTS, "--batched=3"], ["rank", *LISTS, "--out", "t.h5"],
    ["rank", *LISTS, "--out", "r.h5", "--rule", "hard"], ["--rank"], ["explode"], [""], ["-"],
    ["solve", *LISTS], ["solve", *LISTS, "chf", "mps", "--tree", "new.txt"], ["solve"],
    ["solve", *LISTS, "chf", "--backend", "cuda"],
    ["solve", *LISTS, "chf", "--objective", "within:7", "--max-guesses", "6"],
    ["spectrum", *LISTS, "chf", "--rule", "hard"], ["spectrum", *LISTS],
    ["spectrum", *LISTS, "chf", "mps"], ["info", *LISTS], ["warm", "chf"],
    ["guarantee", *LISTS, "chf", "--weights", "weights.csv"], ["guarantee", *LISTS],
    ["verify", "t.h5", *LISTS, "--rule", "hard"], ["verify", "r.h5", *LISTS, "--max-guesses", "5"],
    ["verify", *LISTS],
    ["verify", "t.txt", "t.json", *LISTS], ["prove", *LISTS, "chf"],
    ["prove", *LISTS, "--tree", "x.txt"], ["simulate", *LISTS, "parts", "--state", "chf BBB"],
    ["simulate", *LISTS, "parts", "greens", "--explain", "bat"],
    ["simulate", *LISTS, "parts", "--out", "r.h5"], ["compare", *LISTS, "parts"],
    ["compare", *LISTS, "parts", "parts"],
    ["compare", *LISTS, "parts", "greens", "--simulations", "r.h5"],
    ["pairs", *LISTS, "--first", "chf", "--words", "3", "--prove"],
    ["pairs", *LISTS, "--state", "chf BBB"], ["pairs", *LISTS, "--out", "r.h5"],
    ["learn", *LISTS, "--state", "chf BBB"], ["play", *LISTS, "--adversary", "--answer", "bat"],
    ["analyse", *LISTS, "--games", "games.csv", "--paste", "games.csv"],
    ["analyse", *LISTS, "chf", "BBB", "--out", "new.csv"], ["analyse", *LISTS],
]
# fmt: on


@cache
def verbs() -> dict[str, dict[str, list[str]]]:
    """Return the wrong values of every option of each verb and of its arguments."""
    from typer.main import get_command

    from gpu_wordle.cli import app

    found = {}
    for verb, command in get_command(app).commands.items():
        has = {name for parameter in command.params for name in parameter.opts}
        tried = sorted(name for name in has & WRONG.keys() if (verb, name) not in UNTRIED)
        found[verb] = {name: WRONG[name] for name in tried} | WRONG_OF.get(verb, {})
    return found


@cache
def ground(shelf: Path) -> Path:
    """Return a folder with good files, and with files that are bad in every way."""
    place = shelf / f"{os.getpid()}-ground"
    (place / "folder").mkdir(parents=True)
    write_game(place)
    for name in ("folder.h5", "folder.json", "folder.svg"):
        (place / name).mkdir()
    environment = {"GPU_WORDLE_CACHE": "cache"}
    for arguments in (
        ["rank", "--out", "r.h5"],
        *(["solve", "chf", "--tree", f"t.{suffix}"] for suffix in ("txt", "json", "h5")),
    ):
        done = call([*arguments, *LISTS], place, environment)
        assert done.code == 0, done
    words = (place / "guesses.txt").read_text()
    noise = random.Random(16).randbytes(3000)
    weights = (place / "weights.csv").read_text()
    matrix = (place / "game.csv").read_text()
    texts = {
        "empty.txt": "", "empty.json": "", "empty.csv": "", "twice.txt": words + "bat\n",
        "long-words.txt": "abcdefghijkl\n", "control.txt": words + "a\x1bb\n",
        "secret.txt": words + "toolong\n", "deep.json": '{"next":' * 100_000,
        "bad.csv": matrix.replace("26", "x"), "uneven.csv": matrix + "x,1\n",
        "no-weights.csv": "word,weight\n", "zero.csv": "".join(f"{w},0\n" for w in words.split()),
        "negative.csv": weights.replace(",7", ",-7"), "nan.csv": weights.replace(",7", ",nan"),
        "few.csv": weights.replace("bat,7\n", ""), "double.csv": weights + "bat,7\n",
        "huge.csv": weights.replace(",7", "," + "9" * 5000),
    }  # fmt: skip
    for name, text in texts.items():
        (place / name).write_text(text)
    for name in ("binary.bin", "binary.h5", "binary.csv", "words.xlsx"):
        (place / name).write_bytes(noise)
    (place / "latin1.txt").write_bytes(words.encode() + b"b\xe4t\n")
    (place / "bomb.gz").write_bytes(gzip.compress(bytes(64 << 20)))
    with (place / "huge.txt").open("wb") as file:
        file.truncate(1 << 36)
    os.mkfifo(place / "fifo")
    for name, target in (
        ("loop", "loop"), ("loop.h5", "loop.h5"), ("dangling", "nowhere"),
        ("dangling.txt", "nowhere.txt"), ("link.h5", "/dev/zero"),
    ):  # fmt: skip
        (place / name).symlink_to(target)
    return place


def draw(chance: random.Random, kinds: list[str]) -> tuple[str, list[str]]:
    """Draw a command line with something wrong in it, and the kind of the fault.

    It is quiet, since remarks on stderr are no errors.
    """
    if chance.random() < 0.1:
        meant = [line for line in CONTRADICTIONS if any(part in line[0] for part in kinds)]
        verb, *rest = chance.choice(meant)
        return "contradictions", [verb, *(["--quiet"] if verb in verbs() else []), *rest]
    verb = chance.choice([verb for verb in verbs() if any(part in verb for part in kinds)])
    wrong = verbs()[verb]
    options = chance.sample(list(wrong), min(len(wrong), chance.choice([1, 1, 1, 2, 3])))
    line = [verb, "--quiet", *([] if verb in WITHOUT_GAME else LISTS)]
    if "" not in options:
        line += RIGHT.get(verb, [])
    for option in options:
        value = chance.choice(wrong[option])
        line += [f"{option}={value}"] if option and chance.random() < 0.5 else []
        line += [] if line[-1] == f"{option}={value}" else [option, value] if option else [value]
    if chance.random() < 0.05:
        line += [
            chance.choice(["--nonsense", "--json=1", "-z", "--quiet=no", "extra", "--guesses"])
        ]
    kind = options[0] or "arguments"
    return GROUPS.get(kind, kind), [part.replace("\0", "?") for part in line]


GROUPS = {
    **dict.fromkeys(["--guesses", "--answers", "--weights"], "files that are read"),
    **dict.fromkeys(["--out", "--tree", "--plot", "--certificate", "--export"], "files to write"),
    **dict.fromkeys(["--state", "arguments"], "words and feedback"),
    **dict.fromkeys(["--rule", "--objective", "--by", "--backend", "--format"], "names"),
}
"""Names of groups of options in the table; numbers are all others."""


def names_in(folder: Path) -> set[str]:
    """Return the names in a folder."""
    return {path.name for path in folder.iterdir()}


def try_input(
    chance: random.Random, folder: Path, shelf: Path, kinds: list[str]
) -> tuple[str, str, str]:
    """Try one command line; return its kind, its fate, and what is wrong, if anything."""
    kind, line = draw(chance, kinds)
    kind = "numbers" if kind.startswith("--") else kind
    place = ground(shelf)
    before = names_in(place)
    good = {name: (place / name).read_bytes() for name in ("r.h5", "t.txt", "t.h5", "answers.txt")}
    done = call(line, place, {"GPU_WORDLE_CACHE": "cache"})
    fault = done.fault()
    if not fault and done.code == 0:
        fault = f"ACCEPTED: {done.out[:200]!r}"
    if not fault and (after := names_in(place)) != before:
        fault = f"LEFTOVERS: {sorted(after ^ before)}"
    lost = [name for name, content in good.items() if (place / name).read_bytes() != content]
    if lost:
        fault = f"LOSS: {lost} are others now"
    if fault:
        ground.cache_clear()
        shutil.rmtree(place)
        fault = f"{[part[:80] for part in line]}: {fault}"
    return kind, "refused", fault
