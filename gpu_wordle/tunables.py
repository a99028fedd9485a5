"""Every number that may be tuned: its default, its range, its meaning, and how it was chosen.

No result depends on any of them; time and memory do. A *timed* number was set by timing when its
technique was built, without a record. A *round* number was not studied. A change of any number here
compiles all machine code again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

TUNABLES: dict[str, Tunable] = {}
"""All of them, by name."""


@dataclass(frozen=True)
class Tunable:
    """A row of the table.

    Attributes:
        name: name of the constant.
        group: what it is about.
        default: its value.
        least, greatest: the range in which results are right.
        meaning: one sentence.
        chosen: how the default was chosen.
    """

    name: str
    group: str
    default: int
    least: int
    greatest: int
    meaning: str
    chosen: str


def _tunable(
    group: str, name: str, default: int, limits: tuple[int, int], meaning: str, chosen: str
) -> int:
    TUNABLES[name] = Tunable(name, group, default, *limits, meaning, chosen)
    return default


# A line a row, however long.
# fmt: off
# ruff: noqa: E501

_row = partial(_tunable, "Machine code")
MAX_COMPILERS = _row("MAX_COMPILERS", 8, (1, 64), "Processes that compile at once, at most one for each core.", "memory: 250 MB each")
MAX_CODE_FOLDERS = _row("MAX_CODE_FOLDERS", 4, (1, 64), "Versions of which machine code is kept; the one compiled longest ago makes room.", "disk: 8 MB each")

_row = partial(_tunable, "The cache of patterns")
PATTERN_CACHE_MIB = _row("PATTERN_CACHE_MIB", 1024, (1, 1 << 20), "MiB of pattern matrices that are kept; the one used longest ago makes room.", "disk: 30 MB for the original lists")

_row = partial(_tunable, "Counting parts")
MAX_PAIRWISE = _row("MAX_PAIRWISE", 120, (2, 254), "Answers up to which all pairs of rows are compared; more are counted by their patterns.", "timed")
LABELLED_SIZES = _row("LABELLED_SIZES", 64, (2, 256), "Sizes of parts that are told apart when labels go to the largest; larger ones count as equal.", "round")
MAX_CORRECTED = _row("MAX_CORRECTED", 2, (0, 512), "Columns of a block that are corrected one by one rather than counted again with the others.", "timed")
SLICING_CYCLES = _row("SLICING_CYCLES", 3000, (0, 1 << 30), "Cycles for an answer and 512 columns that it takes to lay labels out in slices.", "timed")
PAIR_CYCLES = _row("PAIR_CYCLES", 4, (1, 1 << 20), "Cycles for 512 columns that counting k answers by pairs takes, divided by k * k.", "timed")
SLICE_CYCLES = _row("SLICE_CYCLES", 70, (0, 1 << 20), "Cycles for 512 columns that counting k answers in slices takes, divided by k.", "timed")

_row = partial(_tunable, "Bounds")
MAX_SMALL = _row("MAX_SMALL", 12, (2, 120), "Answers of a part up to which its own answers are tried before anything is counted.", "timed")
MAX_OWN = _row("MAX_OWN", 45, (2, 120), "Answers of a part up to which its own answers are tried; larger parts are counted last.", "timed")
MIN_OVERLAPPED = _row("MIN_OVERLAPPED", 6, (3, 254), "Answers of a part from which on states counted before are asked for a bound.", "timed")
OVERLAP_BLOCKS = _row("OVERLAP_BLOCKS", 12, (1, 1 << 10), "Blocks of 512 counted states that a matrix has room for; the oldest 256 make room.", "timed")

_row = partial(_tunable, "Search")
MAX_STEPPED = _row("MAX_STEPPED", 100, (3, 65_535), "Parts of fewer answers are raised in steps also where a guess is not soon refuted.", "timed")
RATION = _row("RATION", 8, (1, 1_000_000), "States that a part may expand in the first round, where a guess is soon refuted.", "timed")
MAX_SHALLOW_CONSTRAINED = _row("MAX_SHALLOW_CONSTRAINED", 3, (0, 255), "Guesses left up to which a part is searched to its end, under a constrained rule.", "nothing below such a part is searched")
MIN_LOST = _row("MIN_LOST", 9, (3, 65_535), "Least answers of a part that is tested for being unwinnable; smaller parts are searched at once.", "timed")
MIN_MISSING = _row("MIN_MISSING", 2, (1, 1 << 20), "Least gap between bound and cutoff at which a state with four guesses left is tested for being unwinnable.", "timed: with 1 QAJAQ takes three times as long")
MIN_FAR_MISSING = _row("MIN_FAR_MISSING", 32, (1, 1 << 40), "Least gap between bound and cutoff at which the parts of a guess are tested, in prices of the next turn.", "round")
MIN_RECALLING = _row("MIN_RECALLING", 64, (3, 65_535), "Least answers of a state whose guesses are tested for parts that hold a nogood of three guesses.", "timed with all words as answers")
MIN_LEARNING = _row("MIN_LEARNING", 100, (3, 65_535), "Least answers of a state whose guesses are tested for parts that hold, or become, a nogood of four guesses.", "timed with all words as answers")
MIN_LOST_PART = _row("MIN_LOST_PART", 40, (3, 65_535), "Least answers of a part that is tested for becoming a nogood of four guesses.", "timed with all words as answers")
MAX_LOST_PART = _row("MAX_LOST_PART", 400, (3, 65_535), "Most answers of such a part; larger ones hold too many nogoods of three guesses.", "timed with all words as answers")
MAX_ALIVE = _row("MAX_ALIVE", 20, (1, 65_535), "A part is tested further if nogoods leave fewer guesses than this.", "timed with all words as answers: 8 and 60 are no better")
MAX_LEARNED = _row("MAX_LEARNED", 64, (0, 65_535), "Most answers of an unwinnable part that is reduced and kept as a nogood.", "timed with all words as answers: 200 and 400 take longer")
MAX_LEARNING_TRIES = _row("MAX_LEARNING_TRIES", 2000, (1, 1 << 30), "Most guesses looked at to reduce it.", "timed with all words as answers")
FIRST_LOST_TRIES = _row("FIRST_LOST_TRIES", 4, (1, 65_535), "Guesses looked at first on each part of a guess that no cost can refute; four times as many next, up to MAX_LOST_TRIES.", "timed within four guesses: 2, 8, 12 and 30 are no better")
MAX_LOST_TRIES = _row("MAX_LOST_TRIES", 300, (1, 65_535), "Guesses looked at one by one before a part that may be lost is left to the search.", "timed")
MAX_FATE_TRIES = _row("MAX_FATE_TRIES", 100_000, (1, 1 << 30), "Guesses looked at in all, in a part and below, before it is left to the search.", "timed")
MAX_SHRINK_TRIES = _row("MAX_SHRINK_TRIES", 30, (1, 1 << 30), "Guesses looked at to see whether a nogood stays one without some of its answers.", "timed with all words as answers: 100 is no better")
MAX_COVERING = _row("MAX_COVERING", 1024, (1, 1 << 20), "Nogoods of a core that are looked at to drop answers from it.", "timed with all words as answers: 512 and 2,048 are no better, 128 takes four times as long")
SHRUNK_EACH = _row("SHRUNK_EACH", 8, (1, 1 << 24), "One in this many cores is also reduced by trial.", "timed with all words as answers: 1 takes twice as long")
MAX_WON = _row("MAX_WON", 1 << 18, (1, 1 << 30), "Winnable states that a thread remembers; a power of two.", "memory: 2 MB")
MAX_NOGOODS = _row("MAX_NOGOODS", 16384, (1, 1 << 24), "Most nogoods that a thread keeps for each number of guesses; when they are full, it starts anew.", "memory: 28 MB each of two, three and four guesses; with 8,192 LEAST takes longer")
MAX_NOGOOD_SIZE = _row("MAX_NOGOOD_SIZE", 24, (3, 254), "Answers of a nogood that is kept.", "larger ones refute few guesses")
DEPTHS = _row("DEPTHS", 24, (8, 255), "States of the largest size for which the arenas of a thread have room.", "no game met needs half of it")
MIN_SYMMETRIC_STATE = _row("MIN_SYMMETRIC_STATE", 140, (3, 1 << 16), "Answers of a state from which on one guess of each orbit is searched, in Python.", "timed")
WIDE_STATES_AT_ONCE = _row("WIDE_STATES_AT_ONCE", 64, (1, 1 << 16), "Parts of a wide state that are measured together.", "round")
MAX_KEPT_MEASURES = _row("MAX_KEPT_MEASURES", 64, (1, 1 << 16), "Wide states whose partitions by all guesses are kept.", "round")

_row = partial(_tunable, "Guesses")
MAX_UNCOMPACTED = _row("MAX_UNCOMPACTED", 200, (0, 65_535), "Promising guesses up to which a compact matrix is not worth its making.", "timed")
FILTER_BITS = _row("FILTER_BITS", 18, (6, 24), "Bits of a hash that the filter of superfluous guesses goes by.", "memory: 32 kB, the L1 cache")
MIN_KEPT = _row("MIN_KEPT", 64, (3, 65_535), "Answers of a state from which on its guess list is kept.", "timed")
MAX_KEPT_LISTS = _row("MAX_KEPT_LISTS", 32, (1, 1 << 10), "Guess lists that a thread keeps.", "timed")
MIN_REMEMBERED = _row("MIN_REMEMBERED", 24, (3, 65_535), "Answers of a state from which on it is remembered which guesses it lists.", "timed with all words as answers")
MAX_REMEMBERED = _row("MAX_REMEMBERED", 1 << 14, (1, 1 << 30), "Lists that a thread remembers; a power of two.", "memory: 400 kB")
REMEMBERED_WORDS = _row("REMEMBERED_WORDS", 1 << 23, (1, 1 << 30), "Guesses of all these lists; the oldest make room.", "memory: 64 MB, of which is used what the search fills")
MIN_DOMINATED = _row("MIN_DOMINATED", 128, (2, 65_535), "Answers of a state from which on superfluous guesses are looked for.", "timed")
MAX_DOMINATED_LETTERS = _row("MAX_DOMINATED_LETTERS", 6, (1, 6), "Letters of words up to which all subsets of questions are compared.", "memory")

_row = partial(_tunable, "Constrained rules")
MAX_LEGAL_SETS = _row("MAX_LEGAL_SETS", 1 << 13, (1, 1 << 20), "Sets of legal guesses that a thread keeps.", "an opener has some thousands")
PLACES_BYTES = _row("PLACES_BYTES", 1 << 26, (1, 1 << 34), "Memory for the places of lines; with many answers fewer sets are kept.", "round")
LINES_BYTES = _row("LINES_BYTES", 1 << 27, (1, 1 << 34), "Memory for lines of legal guesses, if the matrix of the game is not larger.", "round")
MAX_LISTED_COLUMNS = _row("MAX_LISTED_COLUMNS", 1 << 22, (1, 1 << 30), "Columns in all lists of legal guesses, if the game has not more.", "round")
MEASURED_WORDS = _row("MEASURED_WORDS", 1 << 20, (1, 1 << 30), "Legal guesses of states whose measures a thread remembers; the oldest make room.", "memory: 8 MB; with 64 MB a proof takes as long")

_row = partial(_tunable, "Table")
MAX_TABLE_BYTES = _row("MAX_TABLE_BYTES", 1 << 30, (512, 1 << 40), "The largest transposition table that is not asked for.", "round")
TABLE_SHARE = _row("TABLE_SHARE", 8, (1, 1 << 10), "The table takes one in this many parts of the free memory.", "round")
TABLE_BYTES_PER_CASE = _row("TABLE_BYTES_PER_CASE", 2, (1, 1 << 20), "Bytes of a table that is not asked for, for each pair of answers and kind of guess; at most.", "games of 20 to 400 answers fill a hundredth of it, or a tenth")
SOLVE_TABLE_MIB = _row("SOLVE_TABLE_MIB", 32, (1, 1 << 20), "Table of a solve, MiB.", "timed: the first touch of 128 takes longer than SALET")
PROVE_TABLE_MIB = _row("PROVE_TABLE_MIB", 256, (1, 1 << 20), "Table of a proof, MiB.", "timed: the first touch of more takes seconds")

_row = partial(_tunable, "Threads")
TASKS_AHEAD = _row("TASKS_AHEAD", 3, (1, 1 << 10), "Tasks handed out for each thread, so that none waits while the caller looks at a result.", "round")
PAIRS_AT_ONCE = _row("PAIRS_AT_ONCE", 640_000, (1, 1 << 40), "Guesses times pairs of answers that are handed to a thread together.", "timed: of games of 20 to 400 answers such a group takes about 15 ms")
MIN_SHARED_LOOKUPS = _row("MIN_SHARED_LOOKUPS", 1 << 18, (0, 1 << 40), "Look-ups of patterns from which on threads share the statistics of a few states.", "timed: to start the threads takes as long as 100,000")
FIRST_PROVED = _row("FIRST_PROVED", 50, (1, 65_535), "Guesses among which a proof looks for the best one before it refutes the others.", "round")
PROVING_ROUNDS = _row("PROVING_ROUNDS", 8, (1, 60), "Rounds of a proof that is kept, each of which takes a quarter off, before the last one.", "by one opener of all words as answers, whose cost leaps beyond the fourth")
SAME_PROMISE = _row("SAME_PROMISE", 500, (1, 65_535), "Guesses of about the same promise, which are ranked in the order of their letters.", "round")

_row = partial(_tunable, "Batches")
GROUPS_IN_FLIGHT = _row("GROUPS_IN_FLIGHT", 4, (1, 64), "Groups of openers in work: some have the device, and the threads have work of the others.", "not measured on a device")
DEVICE_DRIVERS = _row("DEVICE_DRIVERS", 2, (1, 16), "Threads that drive a device, each with a stream: one is asked while another waits.", "not measured on a device")
TASKS_PER_THREAD = _row("TASKS_PER_THREAD", 4, (1, 1 << 10), "Pieces that the searches of a batch are cut into for each thread.", "not measured on a device")
MAX_LEFT_TO_CPU = _row("MAX_LEFT_TO_CPU", 64, (2, 65_535), "Answers of a state up to which a batched search leaves it to the CPU.", "not measured on a device")
GROUP_OPENERS = _row("GROUP_OPENERS", 512, (1, 65_535), "Openers that are in work together in a batched search.", "not measured on a device")
SHORTLISTS = _row("SHORTLISTS", 1 << 18, (2, 1 << 30), "Entries of the MoveCache of a batched search, of 64 bytes each; a power of two.", "three for each of the 89,350 states of all openers")
OPENERS_TOGETHER = _row("OPENERS_TOGETHER", 7, (1, 65_535), "Evaluated openers that a thread closes in one call of machine code.", "as many strategies as are replayed together")
FIRST_GUESSES_PART = _row("FIRST_GUESSES_PART", 8, (1, 1 << 10), "Bounds up to this part of the range that may be of use are refuted first.", "look-ups counted by scripts/gpu/count.py for 2, 4 and 8")

_row = partial(_tunable, "Backends")
MIN_DEVICE_LOOKUPS = _row("MIN_DEVICE_LOOKUPS", 10**11, (0, 1 << 60), "Look-ups of a job from which on auto takes a device.", "minutes of a core against seconds of a start; not measured on a device")
MIN_DEVICE_ANSWERS = _row("MIN_DEVICE_ANSWERS", 640, (2, 65_535), "Answers of a position from which on auto gives its search to a device.", "good guesses leave a tenth of them at most, and MAX_LEFT_TO_CPU are the CPU's")
BUILD_BLOCK = _row("BUILD_BLOCK", 512, (64, 1 << 16), "Guesses whose patterns are built together.", "timed")
MAX_PAIRWISE_CPU = _row("MAX_PAIRWISE_CPU", 40, (2, 255), "Answers up to which the statistics of a state come from comparing pairs.", "timed")
HISTOGRAM_BYTES = _row("HISTOGRAM_BYTES", 32 * 1024, (1 << 10, 1 << 24), "Bytes that the counters of a block of guesses may take.", "the L1 cache")
TABLE_BLOCK = _row("TABLE_BLOCK", 64, (1, 1 << 16), "Guesses whose tables of patterns are filled together, if HISTOGRAM_BYTES has room.", "the L1 cache")
MAX_PAIRWISE_FRONTIER = _row("MAX_PAIRWISE_FRONTIER", 48, (2, 255), "Answers up to which a frontier compares pairs of rows.", "timed")
PAIR_BLOCK = _row("PAIR_BLOCK", 256, (64, 1 << 16), "Guesses whose rows are compared in pairs together.", "timed")
FRONTIER_SHARE = _row("FRONTIER_SHARE", 4, (1, 1 << 10), "The lists of a frontier take one in this many parts of the free memory.", "round")
MAX_PAIRWISE_JOINT = _row("MAX_PAIRWISE_JOINT", 8, (1, 255), "Answers of a part up to which joint parts are counted by comparing every two of them.", "timed over 60 partitions: 4 and 12 take 1 % more, 16 takes 3 % more")
SLICES_PER_THREAD = _row("SLICES_PER_THREAD", 8, (1, 1 << 10), "Pieces of work for each thread, so that none waits long for the last one.", "round")
THREADS_PER_CORE = _row("THREADS_PER_CORE", 4, (1, 64), "Most threads for each core, however many are asked for.", "round")
WEIGHED_CHUNK = _row("WEIGHED_CHUNK", 256, (1, 1 << 16), "Guesses whose weighed parts are added up together.", "round")
DEFINITION_BLOCK = _row("DEFINITION_BLOCK", 64, (1, 65_535), "Answers whose patterns are computed at a time by the definition of a game.", "round")

_row = partial(_tunable, "CPU backend")
BEST_BLOCK = _row("BEST_BLOCK", 1024, (1, 1 << 20), "Guesses whose statistics a search for the best holds at a time.", "round")
MAX_PAIRWISE_PARTS = _row("MAX_PAIRWISE_PARTS", 60, (2, 255), "Answers up to which a search for the best counts parts by comparing pairs.", "timed")
FLAGGED_GUESSES = _row("FLAGGED_GUESSES", 128, (8, 1 << 16), "Guesses whose parts are counted together by flags, where HISTOGRAM_BYTES has room for them.", "timed")

_row = partial(_tunable, "Kernels")
MAX_PAIRS = _row("MAX_PAIRS", 16, (2, 32), "Answers up to which bound_states.cu compares pairs.", "not measured on a device")
SPLIT_THREADS = _row("SPLIT_THREADS", 128, (32, 256), "Threads of a block of split.cu.", "not measured on a device")
FRONTIER_THREADS = _row("FRONTIER_THREADS", 128, (32, 256), "Threads of a block of the kernels that count for frontiers.", "not measured on a device")
PAIR_THREADS = _row("PAIR_THREADS", 128, (32, 256), "Threads of a block that compares pairs.", "not measured on a device")
COUNT_THREADS = _row("COUNT_THREADS", 32, (32, 256), "Threads of a block that counts; its counters limit them.", "shared memory")
PATTERN_THREADS = _row("PATTERN_THREADS", 256, (32, 256), "Threads of a block of patterns.cu.", "not measured on a device")
LABEL_SLICES = _row("LABEL_SLICES", 26, (1, 1 << 12), "Least number of slices of the guesses of a state in collapse.cu: the more, the fewer states are at work at one time.", "not measured on a device")
LABEL_THREADS = _row("LABEL_THREADS", 32, (32, 256), "Threads of a block that labels the parts of collapse.cu.", "not measured on a device")
COPY_THREADS = _row("COPY_THREADS", 128, (32, 256), "Threads of a block that copies columns in collapse.cu.", "not measured on a device")
KEEP_THREADS = _row("KEEP_THREADS", 128, (32, 256), "Threads of a block that picks guesses in collapse.cu.", "not measured on a device")
MAX_SMALL_BLOCKS = _row("MAX_SMALL_BLOCKS", 255, (2, 65_535), "Answers up to which bound_guesses.cu leaves room for more blocks.", "not measured on a device")
MAX_ROW_BLOCKS = _row("MAX_ROW_BLOCKS", 64, (1, 65_535), "Blocks that copy the rows of one list.", "not measured on a device")
MAX_COVER_WORDS = _row("MAX_COVER_WORDS", 128, (0, 1 << 16), "Words of 32 counted states that a list has room for.", "counted: four times as many save a tenth of the look-ups")
COVER_SHARE = _row("COVER_SHARE", 8, (1, 1 << 10), "A table of covers takes this part of the memory of its matrix, and 8 rows.", "round")
MEMO_SHARE = _row("MEMO_SHARE", 2, (1, 1 << 10), "A memo of counted parts takes this part of the memory of its matrix, or 1 KB.", "round")
INTERLEAVED_STATES = _row("INTERLEAVED_STATES", 32, (1, 1 << 16), "States whose pairs take turns, so that covers are there when they are wanted.", "not measured on a device")
BLOCKS_PER_MULTIPROCESSOR = _row("BLOCKS_PER_MULTIPROCESSOR", 32, (1, 1 << 10), "Blocks for each multiprocessor of a launch that may choose: a few waves.", "not measured on a device")

_row = partial(_tunable, "Strategies")
SCORED_PAIRS = _row("SCORED_PAIRS", 1 << 22, (1, 1 << 28), "Guesses times positions of which a strategy holds all scores at a time.", "round")
PLAYED_STATES = _row("PLAYED_STATES", 1 << 16, (1, 1 << 24), "States of which a simulation asks a strategy at a time.", "round")
OPENERS_AT_A_TIME = _row("OPENERS_AT_A_TIME", 256, (1, 1 << 16), "Openers whose games are played together, so that states are shared.", "memory: 256 of the original game take about half a gigabyte")
SUGGESTED_AT_ONCE = _row("SUGGESTED_AT_ONCE", 64, (1, 1 << 16), "Guesses that a thread compares with the best ones before it reports.", "round")

_row = partial(_tunable, "Pairs")
PARTITIONS_AT_ONCE = _row("PARTITIONS_AT_ONCE", 64, (1, 1 << 16), "First guesses whose pairs are counted between two checkpoints.", "memory: 64 of the original game take 7 MB")
OPENINGS_EXTENDED = _row("OPENINGS_EXTENDED", 200, (1, 1 << 20), "Openings of each length that are extended by every guess.", "round")
OPENINGS_IMPROVED = _row("OPENINGS_IMPROVED", 30, (1, 1 << 20), "Of these, how many have their guesses replaced one by one.", "round")

_row = partial(_tunable, "Noise")
NOISE_LEAVES = _row("NOISE_LEAVES", 1 << 15, (16, 1 << 26), "States after the noisy depth whose values and draws a thread remembers, a power of two.", "memory: 4 MB for 32 runs")
NOISE_MEMORY_MIB = _row("NOISE_MEMORY_MIB", 192, (1, 1 << 16), "MiB in which a thread remembers perturbed values of states before the noisy depth.", "memory: 30 MB hold 10,000 states of 32 runs and 12 levels")
RUNS_AT_ONCE = _row("RUNS_AT_ONCE", 32, (4, 1 << 10), "Runs of a noise experiment that are searched together, a multiple of four.", "round")

_row = partial(_tunable, "Clusters")
UNIT_SECONDS = _row("UNIT_SECONDS", 30, (1, 3600), "Seconds that a unit of work takes a worker; towards the end units are cut smaller.", "a thousand workers answer one owner every 30 ms")
NEWS_SECONDS = _row("NEWS_SECONDS", 2, (1, 3600), "Seconds that a unit takes where results of others make work cheaper, as in a proof.", "a better guess is known everywhere after two units")
UNITS_AHEAD = _row("UNITS_AHEAD", 2, (1, 64), "Units handed out for each worker, so that none waits for its owner.", "round")
UNITS_LEFT = _row("UNITS_LEFT", 4, (1, 64), "Units into which a worker's share of the work that is left is cut.", "simulated in scripts/publish/plan_cluster.py")
# fmt: on
