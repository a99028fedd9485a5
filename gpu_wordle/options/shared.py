"""The options that verbs share: one name, one type and one help for one thing, whoever asks."""

from __future__ import annotations

import threading
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.errors import UserError
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES, MAX_GUESS_LIMIT, Aim
from gpu_wordle.game.words import catalogue
from gpu_wordle.options import reading
from gpu_wordle.options.declared import Declared, Option
from gpu_wordle.options.reading import Allowed, WeightsGiven, WordsGiven, whole
from gpu_wordle.ranking.job import Listener
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.pictures import check_plot
from gpu_wordle.store import check_suffix

GAME, AIM, PLAY, OUTPUT, MACHINE = "Game", "Aim", "Play", "Output", "Machine"
"""Panels of the help."""

INTEGER = "INTEGER"
"""How the help calls a whole number."""


def complete_lists(incomplete: str) -> list[str]:
    """Names of games that begin so."""
    names = (*catalogue(), "mastermind:4x6", "bulls-and-cows:4x10", "random:5:12972:2315")
    return [name for name in names if name.startswith(incomplete)]


def complete_objectives(incomplete: str) -> list[str]:
    """Objectives that begin so."""
    names = (f"{aim}:" if aim in (Aim.WITHIN, Aim.COST) else aim.value for aim in Aim)
    return [name for name in names if name.startswith(incomplete)]


def complete_strategies(incomplete: str) -> list[str]:
    """Strategies that begin so."""
    from gpu_wordle.strategies.named import STRATEGIES

    return [name for name in STRATEGIES if name.startswith(incomplete)]


def _picture(given: Any) -> Path:
    """The path of a picture that can be drawn."""
    path = reading.FILE.read(given)
    check_plot(path)
    return path


PICTURE = Allowed("the name of a .svg, .png or .pdf file", _picture)


def _certificate(given: Any) -> Path:
    """The path of a certificate that can be written."""
    from gpu_wordle.certify.certificate import check_certificate_file

    path = reading.FILE.read(given)
    check_certificate_file(path)
    return path


CERTIFICATE = Allowed(reading.FILE.said, _certificate)

# The game

Guesses = Annotated[
    WordsGiven,
    Option(
        "Words that may be guessed: original, nyt-2023, wordle-ai-2022, a file, or random "
        "words as in random:5:12972:2315; or another game: mastermind:4x6, "
        "bulls-and-cows:4x10, or a file of feedback in CSV.",
        reading.LISTED,
        GAME,
        flag="--guesses",
        complete=complete_lists,
    ),
]
Answers = Annotated[
    WordsGiven | None,
    Option(
        "Words that may be hidden: named or a file; if not given, as --guesses.",
        reading.LISTED,
        GAME,
        flag="--answers",
        complete=complete_lists,
    ),
]


def check_out(out: str | Path | None, filetype: str, *, fresh: bool) -> Path | None:
    """The file of a job; UserError unless its name fits its kind, and there is one to replace."""
    if out is not None:
        check_suffix(Path(out), filetype)
        return Path(out)
    if fresh:
        raise UserError("--fresh replaces the file of --out, and there is none; name it, or go on")
    return None


STATE = Declared(
    "state",
    "",
    Option(
        "Guesses made and their feedback, as in 'salet BYBBG crony BBGBB', or 'salet=-y--g "
        "crony=--g--'.",
        reading.HISTORY,
        GAME,
    ),
)
"""How a terminal is told where a game stands; in Python that is :meth:`Game.after`."""
TURNS = Declared(
    "turns",
    (),
    Option(
        "Guesses made and their feedback, as in salet BYBBG; or - for standard input.",
        reading.WORDS,
        metavar="WORD COLOURS...",
    ),
    is_argument=True,
)
PASTE = Declared(
    "paste",
    None,
    Option(
        "A file with a game or a share grid as it was pasted; - for standard input, as it is in "
        "the place of words and colours.",
        reading.FILE,
        GAME,
        "FILE",
    ),
)
"""Two more ways to tell it, of verbs whose subject takes ``turns``."""
RuleName = Annotated[
    Literal["normal", "hard", "ultra-hard", "candidates"],
    Option(
        "Which guesses are legal: normal, any; hard, those that keep green letters and reuse "
        "coloured ones; ultra-hard, those that agree with all feedback; candidates, answers that "
        "are still possible.",
        panel=GAME,
        metavar="RULE",
    ),
]
MaxGuesses = Annotated[
    int | None,
    Option(
        "Guesses within which every answer must be found, or with fewest-failures is lost if it is "
        "not; 0: no limit.",
        whole(0, MAX_GUESS_LIMIT),
        AIM,
        INTEGER,
        default=f"{DEFAULT_MAX_GUESSES}; with prices, as many as they are",
    ),
]
ObjectiveName = Annotated[
    str,
    Option(
        "What is to be least: mean; mean,worst; worst; within:K (answers not found within K "
        "guesses); fewest-failures; cost:PRICE,PRICE,... of each turn, whole and never falling.",
        reading.OBJECTIVE,
        AIM,
        complete=complete_objectives,
    ),
]
Weights = Annotated[
    WeightsGiven | None,
    Option(
        "CSV file of word,weight: how likely each answer is; equally, if not given. With within:K "
        "and fewest-failures they add up, as whole numbers, to at most 428,000 at six guesses.",
        reading.WEIGHTS,
        AIM,
        "FILE",
    ),
]

# How strategies play

PoolName = Annotated[
    Literal["all", "answers", "candidates"],
    Option(
        "Guesses that greedy rules choose from: all, answers, or candidates, the answers that are "
        "still possible.",
        panel=PLAY,
        metavar="POOL",
    ),
]
Survivors = Annotated[
    int,
    Option(
        "With as few answers left, 1 to 3, or fewer, guess the first of them.",
        whole(1, 3),
        PLAY,
        INTEGER,
        hidden={"--two-survivors": "2", "--no-two-survivors": "1", "--three-survivors": "3"},
    ),
]
LastCandidate = Annotated[
    bool,
    Option(
        "On the last turn, guess an answer that is left.",
        reading.TRUTH,
        PLAY,
        flag="--last-candidate",
    ),
]
TiesName = Annotated[
    Literal["words", "candidates", "random"],
    Option(
        "Of equal guesses: words, the first in the list; candidates, the first that can be the "
        "answer; random, by --seed.",
        panel=PLAY,
        metavar="TIES",
    ),
]

# The machine

BACKEND = Option(
    "What computes: auto, CUDA for large jobs where a device answers, else the CPU; cpu; cuda; "
    "reference, plain and slow; check, two that have to agree.",
    panel=MACHINE,
    metavar="BACKEND",
)
BackendName = Annotated[Literal["auto", "cpu", "cuda", "reference", "check"], BACKEND]
HostBackendName = Annotated[Literal["auto", "cpu", "reference", "check"], BACKEND]
"""For work that no device does: ``auto`` is the CPU."""

Threads = Annotated[
    int | None,
    Option(
        "CPU threads, at most one for each guess to solve and a few a core; if not given, all "
        "cores.",
        whole(1),
        MACHINE,
        INTEGER,
    ),
]
TableSize = Annotated[
    int | None,
    Option(
        "Transposition table, MiB; if not given, what suits the job.",
        whole(1),
        MACHINE,
        INTEGER,
    ),
]
Batched = Annotated[
    bool | None,
    Option(
        "Search in batches on the backend; if not given, with --backend cuda.",
        reading.TRUTH,
        MACHINE,
        flag="--batched/--no-batched",
    ),
]
DeviceMemory = Annotated[
    int | None,
    Option(
        "MiB that batches may hold on the device beside the pattern matrix, half of it "
        "for lists of guesses and half for the work at hand; if not given, what is free suits.",
        whole(1),
        MACHINE,
        INTEGER,
    ),
]
TimeLimit = Annotated[
    float | None,
    Option(
        "End after so long, with what was proved by then: seconds, or as in 10m or 1h30m; "
        "none for no end.",
        reading.SECONDS,
        MACHINE,
        "TIME",
    ),
]
Budget = Annotated[
    int | None,
    Option("Most states to expand for each guess.", whole(1), MACHINE, INTEGER),
]
Workers = Annotated[
    Executor | WorkerPool | None,
    Option(
        "What hands the work to workers, here or on other machines: any executor of "
        "concurrent.futures. Each worker then uses as many threads as are asked for, or one.",
        reading.EXECUTOR,
        only="python",
    ),
]
Stop = Annotated[
    threading.Event | StopToken | None,
    Option("What another thread sets to end the job.", reading.STOP, only="python"),
]
OnProgress = Annotated[
    Listener | None,
    Option("Called as the work goes on.", reading.PROGRESS, only="python"),
]

# What is given and what is written

Seed = Annotated[int, Option("Seed of all that is random.", whole(0), metavar=INTEGER)]
Plot = Annotated[
    str | Path | None,
    Option("Draw what is shown to this .svg, .png or .pdf file.", PICTURE, OUTPUT, "FILE"),
]
CertificateFile = Annotated[
    str | Path | None,
    Option(
        "Write a proof that others can check without this program to this text file.",
        CERTIFICATE,
        OUTPUT,
        "FILE",
        flag="--certificate",
    ),
]
_TOP = Option("Rows to print; 0: all.", whole(0), OUTPUT, INTEGER)
Top = Annotated[int, _TOP]
TopOrAll = Annotated[int, replace(_TOP, terminal=20)]
"""For results that Python callers get whole."""
Out = Annotated[str | Path | None, Option("HDF5 file to write.", reading.FILE, OUTPUT, "FILE")]
Fresh = Annotated[
    bool,
    Option("Replace the file, or go on from it.", reading.TRUTH, OUTPUT, flag="--fresh/--resume"),
]
Count = Annotated[int, Option("How many, from 0 on.", whole(0))]
FilePath = Annotated[str | Path, Option("The name of a file.", reading.FILE)]
Word = Annotated[str, Option("A word.", reading.WORD)]
History = Annotated[
    str,
    Option("Guesses and their feedback, as in 'salet BYBBG crony BBGBB'.", reading.HISTORY),
]
