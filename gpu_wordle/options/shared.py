"""Options that several verbs share, each with one name, one type and one help text."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.errors import UserError
from gpu_wordle.files import check_folder
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES, MAX_GUESS_LIMIT, Aim
from gpu_wordle.options import reading
from gpu_wordle.options.declared import Declared, Option
from gpu_wordle.options.reading import WeightsGiven, WordsGiven, whole
from gpu_wordle.ranking.job import ProgressCallback
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.pictures import check_plot
from gpu_wordle.store import check_suffix

GAME, AIM, PLAY, OUTPUT, MACHINE = "Game", "Aim", "Play", "Output", "Machine"
"""Panels of the help."""


def names_of_lists() -> Iterable[str]:
    """The names of games."""
    return (*catalogue(), "mastermind:4x6", "bulls-and-cows:4x10", "random:5:12972:2315")


def names_of_objectives() -> Iterable[str]:
    """The objectives; those with numbers end in a colon."""
    return (f"{aim}:" if aim in (Aim.WITHIN, Aim.COST) else aim.value for aim in Aim)


def names_of_strategies() -> Iterable[str]:
    """The built-in strategies."""
    from gpu_wordle.strategies.named import STRATEGIES

    return STRATEGIES


def _check_certificate(path: Path) -> None:
    from gpu_wordle.certify.certificate import check_certificate_file

    check_certificate_file(path)


def _check_tree(path: Path) -> None:
    from gpu_wordle.store import check_writable

    check_writable(path)


# The game

Guesses = Annotated[
    WordsGiven,
    Option(
        "Words that may be guessed: original, nyt-2023, nyt-2022, wordle-ai-2022, a file, or "
        "random words, as in random:5:12972:2315. Or another game: mastermind:4x6, "
        "bulls-and-cows:4x10, or a CSV file with the feedback.",
        reading.LISTED,
        GAME,
        flag="--guesses",
        names=names_of_lists,
    ),
]
Answers = Annotated[
    WordsGiven | None,
    Option(
        "Words that may be the answer: a named list, a file, or guesses for every guess. Default: "
        "as --guesses.",
        reading.LISTED,
        GAME,
        flag="--answers",
        names=names_of_lists,
    ),
]
JoinAnswers = Annotated[
    bool,
    Option(
        "Add the answers to the guesses, for lists of guesses without the answers.",
        reading.TRUTH,
        GAME,
    ),
]
Unlisted = Annotated[
    Sequence[str] | None,
    Option(
        "Further words that may be guessed, separated by commas, such as past guesses that no "
        "list has.",
        reading.WORDS_BY_COMMA,
        GAME,
    ),
]

Alphabet = Annotated[
    WordsGiven | None,
    Option(
        "File of letters that are not single signs, one a line: letters of several signs, as in "
        "ll, and after a letter the spellings that are equal to it, as in 'a á à'.",
        reading.LETTERS,
        GAME,
    ),
]


def check_out(out: str | Path | None, filetype: str, *, fresh: bool) -> Path | None:
    """The file of a job; UserError if its name does not fit or --fresh has no file to replace."""
    if out is not None:
        check_suffix(Path(out), filetype)
        check_folder(Path(out))
        return Path(out)
    if fresh:
        raise UserError("--fresh replaces the file of --out; name that file, too")
    return None


State = Annotated[
    str,
    Option(
        "Guesses so far and their feedback, as in 'salet BYBBG crony BBGBB', or 'salet=-y--g "
        "crony=--g--'.",
        reading.HISTORY,
        GAME,
    ),
]
"""The position of a game in a terminal; Python callers use :meth:`Game.after`."""
Turns = Annotated[
    Sequence[str],
    Option(
        "Guesses so far and their feedback, as in salet BYBBG; or - for standard input.",
        reading.WORDS,
        metavar="WORD COLOURS...",
    ),
]
Paste = Annotated[
    str | Path | None,
    Option(
        "A file with a pasted game or share grid; - for standard input, as in place of words and "
        "colours.",
        reading.FILE,
        GAME,
    ),
]
Template = Annotated[
    str,
    Option(
        "Known letters by place, and dots for the others, as in '..er.'.",
        reading.TEXT,
        GAME,
        "LETTERS",
    ),
]
Present = Annotated[
    str,
    Option(
        "Letters that occur, each with the places where it is not, as in 'o2 s45'; ee: two or "
        "more, those of --template included.",
        reading.TEXT,
        GAME,
        "LETTERS",
    ),
]
Absent = Annotated[
    str,
    Option(
        "Letters that do not occur, as in 'tlac'; e4: no further E occurs than is known, and none "
        "in place 4.",
        reading.TEXT,
        GAME,
        "LETTERS",
    ),
]
KNOWN = tuple(
    Declared(name, "", get_args(kind)[1])
    for name, kind in (("template", Template), ("present", Present), ("absent", Absent))
)
"""What is known without guesses, for verbs whose subject takes ``turns``."""
RuleName = Annotated[
    Literal["normal", "hard", "ultra-hard", "candidates"],
    Option(
        "Legal guesses: normal, any word; hard, words that keep green letters and reuse yellow "
        "ones; ultra-hard, words that agree with all feedback; candidates, answers that are still "
        "possible.",
        panel=GAME,
        metavar="RULE",
    ),
]
MaxGuesses = Annotated[
    int | None,
    Option(
        "Guess limit: the most guesses for any answer. With fewest-failures, answers beyond it "
        "count as lost. 0: no limit.",
        whole(0, MAX_GUESS_LIMIT),
        AIM,
        default=f"{DEFAULT_MAX_GUESSES}; with cost, the number of prices",
    ),
]
ObjectiveName = Annotated[
    str,
    Option(
        "Optimise for: mean; mean,worst; worst; within:K (fewest answers not found within K "
        "guesses); fewest-failures; cost:PRICE,PRICE,... (a whole price for each turn, never "
        "falling).",
        reading.OBJECTIVE,
        AIM,
        names=names_of_objectives,
    ),
]
Weights = Annotated[
    WeightsGiven | None,
    Option(
        "Answer weights: a CSV file of word,weight. Default: all answers equally likely. With "
        "within:K and fewest-failures, whole weights may add up to at most 428,000 at six guesses.",
        reading.WEIGHTS,
        AIM,
    ),
]

# How strategies play

PoolName = Annotated[
    Literal["all", "answers", "candidates"],
    Option(
        "Guesses that greedy strategies choose from: all words, all answers, or candidates, the "
        "answers that are still possible.",
        panel=PLAY,
        metavar="POOL",
    ),
]
Survivors = Annotated[
    int,
    Option(
        "With this many answers left or fewer, 1 to 3, guess the first of them.",
        whole(1, 3),
        PLAY,
        hidden={"--two-survivors": "2", "--no-two-survivors": "1", "--three-survivors": "3"},
    ),
]
LastCandidate = Annotated[
    bool,
    Option("On the last turn, guess an answer that is still possible.", reading.TRUTH, PLAY),
]
TiesName = Annotated[
    Literal["words", "last", "candidates", "random"],
    Option(
        "Which of equally good guesses to play: words, the first by --order; last, the last; "
        "candidates, the first that can be the answer; random, drawn by --seed.",
        panel=PLAY,
        metavar="TIES",
    ),
]
OrderName = Annotated[
    Literal["listed", "answers-first", "alphabetical"],
    Option(
        "Order of the words for --ties and --survivors: as listed; answers-first, the answers and "
        "then the other guesses; or alphabetical.",
        panel=PLAY,
        metavar="ORDER",
    ),
]

# The machine

BACKEND = Option(
    "Where to compute: auto, on a CUDA device for large jobs if there is one, else on the CPU; "
    "cpu; cuda; reference, simple and slow; check, two backends that must agree.",
    panel=MACHINE,
    metavar="BACKEND",
)
BackendName = Annotated[Literal["auto", "cpu", "cuda", "reference", "check"], BACKEND]
HostBackendName = Annotated[Literal["auto", "cpu", "reference", "check"], BACKEND]
"""The backends of work that runs on the CPU only; ``auto`` is ``cpu``."""

Threads = Annotated[
    int | None,
    Option(
        "CPU threads, at most one for each guess to solve and a few per core. Default: one per "
        "core.",
        whole(1),
        MACHINE,
    ),
]
TableSize = Annotated[
    int | None,
    Option(
        "Size of the transposition table, in MiB. Default: by the size of the job.",
        whole(1),
        MACHINE,
    ),
]
Batched = Annotated[
    bool | None,
    Option(
        "Search many positions at once on the backend. Default: only with --backend cuda.",
        reading.TRUTH,
        MACHINE,
        flag="--batched/--no-batched",
    ),
]
DeviceMemory = Annotated[
    int | None,
    Option(
        "Device memory for batches beside the pattern matrix, in MiB: half for lists of guesses, "
        "half for the current work. Default: what is free.",
        whole(1),
        MACHINE,
    ),
]
TimeLimit = Annotated[
    float | None,
    Option(
        "Stop after this time and show what is proved by then: seconds, or as in 10m or 1h30m; "
        "none for no limit.",
        reading.SECONDS,
        MACHINE,
    ),
]
Budget = Annotated[
    int | None,
    Option("Limit of expanded states for each guess.", whole(1), MACHINE),
]
Workers = Annotated[
    Executor | WorkerPool | None,
    Option(
        "Runs the work on workers, here or on other machines: any executor of "
        "concurrent.futures. Each worker uses the given number of threads, by default one.",
        reading.EXECUTOR,
        only="python",
    ),
]
Stop = Annotated[
    threading.Event | StopToken | None,
    Option("An event that another thread sets to end the job.", reading.STOP, only="python"),
]
OnProgress = Annotated[
    ProgressCallback | None,
    Option("Called with the progress of the work.", reading.PROGRESS, only="python"),
]

# What is given and what is written

Seed = Annotated[int, Option("Seed of all random draws.", whole(0))]
Plot = Annotated[
    str | Path | None,
    Option(
        "Draw the result to this .svg, .png or .pdf file.",
        reading.file_for(check_plot, "the name of a .svg, .png or .pdf file"),
        OUTPUT,
    ),
]
CertificateFile = Annotated[
    str | Path | None,
    Option(
        "Write a proof to this text file that others can check without this program.",
        reading.file_for(_check_certificate),
        OUTPUT,
    ),
]
TreeFile = Annotated[
    str | Path | None,
    Option(
        "Write the strategy to this file, in the form of its suffix: .txt, .tree, .h5, ...",
        reading.file_for(_check_tree),
        OUTPUT,
    ),
]
_TOP = Option("Rows to print; 0: all.", whole(0), OUTPUT)
Top = Annotated[int, _TOP]
TopOrAll = Annotated[int, replace(_TOP, terminal=20)]
"""Rows to print, for results that Python callers get in full."""
Out = Annotated[str | Path | None, Option("HDF5 file to save the job to.", reading.FILE, OUTPUT)]
Fresh = Annotated[
    bool,
    Option(
        "Replace the file of --out, or resume from it.",
        reading.TRUTH,
        OUTPUT,
        flag="--fresh/--resume",
    ),
]
ListOnly = Annotated[
    bool, Option("List the choices and do nothing else.", reading.TRUTH, flag="--list")
]
Count = Annotated[int, Option("A number of rows.", whole(0))]
FilePath = Annotated[str | Path, Option("The name of a file.", reading.FILE)]
Word = Annotated[str, Option("A word.", reading.WORD)]
History = Annotated[
    str | Iterable[tuple[str, Any]],
    Option(
        "Guesses and their feedback, as in 'salet BYBBG crony BBGBB' or [('salet', 'BYBBG')].",
        reading.HISTORY,
    ),
]
