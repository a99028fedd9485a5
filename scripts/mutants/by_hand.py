"""Mutants made by hand: what an author gets wrong where operators change too little, or too much.

Compiled functions and kernels are among them, which no tool for Python mutates. Each is one change
of the source with the tests that are to see it.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One change of one file.

    Attributes:
        file: in the checkout.
        before: a text that stands there once.
        after: what is put in its place.
        why: what is wrong with that, or the name of the operator.
        tests: names of test files, those that are to see it.
    """

    file: str
    before: str
    after: str
    why: str
    tests: tuple[str, ...]

    def apply(self, whole: str) -> str:
        """The file with the change; ValueError if the text does not stand there just once."""
        if whole.count(self.before) != 1:
            raise ValueError(
                f"{self.file}: {self.before!r} stands there {whole.count(self.before)}x"
            )
        return whole.replace(self.before, self.after)

    def difference(self) -> list[str]:
        """The lines that change, as diff has them, without a head."""
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), n=1, lineterm=""
        )
        return list(lines)[2:]


_VERIFY = ("side_by_side", "verify_cli", "tree", "tree_files", "ranking_files")
_RANKING = ("ranking", "ranking_files", "statistics", "objectives_cli")
_STORE = ("store", "files", "tree_files", "ranking_files", "ranking", "files_cli")
_SEARCH = (
    "table",
    "dominance",
    "nogoods",
    "cores",
    "limited",
    "rations",
    "solver_twin",
    "solver_exact",
    "golden",
    "bounds",
    "list_memory",
    "batched",
    "many_guesses",
)
_KERNELS = ("kernels", "frontier_kernels", "emulator")
_CLI = ("cli", "manners", "options", "job")


def _solver(path: str, before: str, after: str, why: str) -> Mutant:
    return Mutant(f"gpu_wordle/solver/{path}", before, after, why, _SEARCH)


def _kernel(path: str, before: str, after: str, why: str) -> Mutant:
    return Mutant(f"kernels/{path}", before, after, why, _KERNELS)


BY_HAND = (
    # The checker
    Mutant(
        "gpu_wordle/verify.py",
        "value != claim",
        "value > claim",
        "a claim that is too high passes",
        _VERIFY,
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "value != claim",
        "value < claim",
        "a claim that is too low passes",
        _VERIFY,
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "turn + len(turns) > 1",
        "turn > 1",
        "under the candidates rule, the first guess of a tree in mid-game goes free",
        _VERIFY,
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "turn + len(turns) > 1",
        "turn + len(turns) > 0",
        "an opener must be a candidate",
        _VERIFY,
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "(guess < len(self._words.guesses))",
        "(guess <= len(self._words.guesses))",
        "a guess just beyond the list passes",
        _VERIFY,
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "if turn == limit and leads_on.any():",
        "if turn > limit and leads_on.any():",
        "a guess too many is allowed",
        _VERIFY,
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "            if found != wanted:",
        "            if found < wanted:",
        "a line may stand twice",
        _VERIFY,
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "before.append((*before[parent], turn))",
        "before.append((turn,))",
        "only the last turn binds",
        ("rules", *_VERIFY),
    ),
    Mutant(
        "gpu_wordle/verify.py",
        "worst = found_on.max(axis=1)",
        "worst = (found_on * (weights > 0)).max(axis=1)",
        "answers that weigh nothing do not count for the worst case",
        ("objectives_cli", *_VERIFY),
    ),
    Mutant(
        "gpu_wordle/game/rule.py",
        "if guess.count(letter) < copies:",
        "if letter not in guess:",
        "one copy of a letter will do",
        ("rules", *_VERIFY),
    ),
    Mutant(
        "gpu_wordle/api/checking.py",
        "    check_openers(openers, game, position)\n",
        "",
        "the openers of a ranking are not checked",
        _VERIFY,
    ),
    # Rankings
    Mutant(
        "gpu_wordle/ranking/openers.py",
        "openers.worst > game.objective.after(made)",
        "openers.worst > game.objective.after(made) + 1",
        "a worst case over the limit passes",
        _RANKING,
    ),
    Mutant(
        "gpu_wordle/ranking/openers.py",
        "openers.lower > openers.upper",
        "openers.lower > openers.upper + 1",
        "a lower bound over the upper one passes",
        _RANKING,
    ),
    Mutant(
        "gpu_wordle/ranking/openers.py",
        "(not game.objective.allows_failure)",
        "game.objective.allows_failure",
        "answers that are lost are a fault just where they may be",
        _RANKING,
    ),
    Mutant(
        "gpu_wordle/ranking/openers.py",
        "self.lower[known] = np.maximum(self.lower[known], results.lower)",
        "self.lower[known] = results.lower",
        "a lower bound is lost by a later, weaker one",
        _RANKING,
    ),
    Mutant(
        "gpu_wordle/ranking/ranking.py",
        "(openers.worst[known] < self.guesses_left)",
        "(openers.worst[known] <= self.guesses_left)",
        "a strategy that needs every turn is said to be good enough a turn late",
        _RANKING,
    ),
    Mutant(
        "gpu_wordle/ranking/openers.py",
        'work = ("expanded", "seconds")',
        'work = ("expanded", "seconds", "worst", "height")',
        "what the tests compare rankings by does not see worst case and height",
        _RANKING,
    ),
    Mutant(
        "gpu_wordle/ranking/openers.py",
        "worst = verdicts.worst[chosen]",
        "worst = self.height[known]",
        "the height stands for the worst case",
        _RANKING,
    ),
    # Files
    Mutant(
        "gpu_wordle/store/provenance.py",
        '    "answers_sha256",\n    "weights_sha256",',
        '    "weights_sha256",',
        "other answers are gone on with",
        _STORE,
    ),
    Mutant(
        "gpu_wordle/store/provenance.py",
        '    "rule",\n    "objective",\n    "max_guesses",\n)',
        '    "objective",\n    "max_guesses",\n)',
        "a file of the hard rule is gone on with under another",
        _STORE,
    ),
    Mutant(
        "gpu_wordle/store/provenance.py",
        "if made_with != position.history:",
        "if not made_with:",
        "a file of another state is gone on with",
        _STORE,
    ),
    Mutant(
        "gpu_wordle/store/hdf5.py",
        'attributes["schema_version"] not in READABLE_SCHEMAS',
        'attributes["schema_version"] < min(READABLE_SCHEMAS)',
        "a newer schema is read",
        _STORE,
    ),
    Mutant(
        "gpu_wordle/store/hdf5.py",
        "if stated != hashlib.sha256(body).hexdigest():",
        "if len(stated) != 64:",
        "the hash is not compared",
        _STORE,
    ),
    Mutant(
        "gpu_wordle/files.py",
        "        os.fsync(file.fileno())\n",
        "",
        "what is written is not flushed to disk",
        _STORE,
    ),
    Mutant(
        "gpu_wordle/files.py",
        "            _flush_folder(self.target.parent)\n",
        "",
        "a name does not survive a power cut",
        _STORE,
    ),
    Mutant(
        "gpu_wordle/files.py",
        "temporary.replace(self.target)",
        "self.target.write_bytes(temporary.read_bytes())",
        "a file is written in place",
        _STORE,
    ),
    # The search
    _solver(
        "memory/table.py",
        "            and table[slot + way, 1] ^ more ^ _turned(data) == key_1\n"
        "            and more != 0",
        "            and more != 0",
        "keys are compared by half",
    ),
    _solver(
        "memory/table.py",
        "return key ^ (np.uint64(left + 1) * _GOLDEN)",
        "return key ^ (np.uint64(left & 1) * _GOLDEN)",
        "guesses left that differ by two share an entry",
    ),
    _solver(
        "search/search.py",
        "                    is_waiting = True\n                    continue\n",
        "",
        "a part that has eaten up its ration counts as solved",
    ),
    _solver(
        "search/search.py",
        "    w.counters[BUDGET] = budget\n    has_stopped",
        "    has_stopped",
        "the ration of a part becomes that of its guess",
    ),
    _solver(
        "search/search.py",
        "        if best <= bound:",
        "        if best <= bound + 1:",
        "the search ends a little too early",
    ),
    _solver(
        "search/search.py",
        "keep(w, p, left, found, found if found < goal else INFEASIBLE, height, COUNTED)",
        "keep(w, p, left, found, found, height, COUNTED)",
        "a lower bound is kept as a value",
    ),
    _solver(
        "search/search.py",
        "if guesses_left < min(n, 2) and",
        "if guesses_left < min(n, 1) and",
        "two answers can be found in one guess",
    ),
    _solver(
        "guesses/dominance.py",
        "        elif mine:  # an equal of the one in the table, but it may be right\n",
        "        elif mine and t < 0:\n",
        "of equal guesses a candidate is dropped",
    ),
    _solver(
        "guesses/dominance.py",
        "if 0 < yes[q] < n else np.uint64(0)",
        "if 0 < yes[q] < n - 1 else np.uint64(0)",
        "a question is taken for dead that tells one answer from the others",
    ),
    _solver(
        "guesses/dominance.py",
        "                    w.slots[t] = -(rival + 1)  # superfluous\n",
        "                    pass\n",
        "no guess is found superfluous any more",
    ),
    _solver(
        "guesses/list_memory.py",
        "w.list_end[0] > begin + size:",
        "w.list_end[0] > begin + size + 100:",
        "a list is recalled that newer ones have overwritten in part",
    ),
    _solver(
        "guesses/generate.py",
        "    name_matrix(w, column, name_of_list(w, state))\n",
        "",
        "a list is recalled for a matrix that has other columns",
    ),
    _solver(
        "guesses/generate.py",
        "np.int64(w.excess[slot]), guesses_after)",
        "np.int64(w.excess[slot]) + 1, guesses_after)",
        "each guess is charged for an answer too many",
    ),
    _solver(
        "unconstrained/winnable.py",
        "            if rest > 2 and is_soon_lost(w, fewer, marks):",
        "            if rest > 2:",
        "answers are taken for a nogood that a guess tells apart",
    ),
    _solver(
        "unconstrained/nogoods.py",
        "                if is_within(w, level, nogood):\n",
        "                if nogood > 0:\n",
        "a nogood refutes states that lack one of its answers",
    ),
    _solver(
        "unconstrained/nogoods.py",
        "    for level in range(LEVELS - 1, left - 1, -1):\n",
        "    for level in range(LEVELS - 1, left - 2, -1):\n",
        "a state is lost that holds a nogood of a guess less",
    ),
    _solver(
        "search/search.py",
        "    if found < goal and left > limit and height > limit:\n",
        "    if found < goal and left > limit and height > limit + 1:\n",
        "a value without a limit is taken for that under a limit of a guess less",
    ),
    _solver(
        "unconstrained/nogoods.py",
        "                    for i in range(w.nogood_sizes[left - 1, nogood]):\n",
        "                    for i in range(w.nogood_sizes[left - 1, nogood] - 1):\n",
        "an answer is missing in a core that a nogood needs",
    ),
    _solver(
        "unconstrained/column_sets.py",
        "        for i in range(at + 1, at + k):\n",
        "        for i in range(at + 1, at + k - 1):\n",
        "a nogood refutes guesses that tell its last answer apart",
    ),
    _solver(
        "unconstrained/column_sets.py",
        "(place & 63)",
        "(column & 63)",
        "guesses are passed over that are not refuted",
    ),
    _solver(
        "unconstrained/covers.py",
        "            number = without_it\n",
        "",
        "answers go by nogoods that hold others that went before",
    ),
    _solver(
        "unconstrained/lost_parts.py",
        "            if winnable_in(w, child(w, state, p), marks, guesses_left) == LOST:\n",
        "            if winnable_in(w, child(w, state, p), marks, guesses_left) != 0:\n",
        "parts that can be won are taken for lost",
    ),
    _solver(
        "unconstrained/nogoods.py",
        "    w.nogoods_made[left] += 1\n",
        "",
        "no nogood is kept",
    ),
    # Kernels
    _kernel(
        "best_guess.cu",
        "other.value == value && other.rank < rank",
        "other.value == value && other.rank > rank",
        "of equal guesses the last is taken",
    ),
    _kernel(
        "best_guess.cu",
        "one.rank = tally[v].is_candidate ? g : g | NOT_CANDIDATE;",
        "one.rank = g;",
        "candidates do not come first",
    ),
    _kernel(
        "best_guess.cu",
        "g >= (unsigned)guess_count",
        "g > (unsigned)guess_count",
        "a lane beyond the last guess counts",
    ),
    _kernel(
        "best_guess.cu",
        "    __syncthreads();  // the bests of the previous state have been read\n",
        "",
        "a barrier is missing",
    ),
    _kernel(
        "split.cu",
        "        __syncthreads();  // the previous pair is done with\n",
        "",
        "a barrier is missing",
    ),
    _kernel(
        "split.cu",
        "child += is_less & is_first[j];",
        "child += is_less;",
        "children are numbered by answers",
    ),
    _kernel(
        "split.cu",
        "before == 0 && pattern[i] != all_green",
        "before == 0",
        "all green is a child",
    ),
    _kernel(
        "tally.cuh",
        "if ((unsigned)state.n * LANES >= matrix.bins * WORDS_PER_BIN) {",
        "if (false) {",
        "counters are always set back one by one",
    ),
    _kernel(
        "tally.cuh",
        "                counters.at(lane(words[u], v), v) = 0;",
        "                (void)v;",
        "counters are not set back",
    ),
    _kernel(
        "tally.cuh",
        "fresh &= differs(seen[i], seen[k]);",
        "fresh = differs(seen[i], seen[k]);",
        "only the last answer before is compared",
    ),
    _kernel(
        "collapse.cu",
        "if (held == EMPTY || held == hash)",
        "if (held == EMPTY || (unsigned)held == (unsigned)hash)",
        "hashes are compared by half",
    ),
    # The command line
    Mutant(
        "gpu_wordle/cli/console.py",
        "raise typer.Exit(INTERRUPTED)",
        "raise typer.Exit(0)",
        "a proof that was interrupted ends as if it were done",
        _CLI,
    ),
    Mutant(
        "gpu_wordle/verbs/rank.py",
        "forbidden = set(normalise(without))",
        "forbidden = set(without)",
        "--without does not know capitals",
        _CLI,
    ),
)
