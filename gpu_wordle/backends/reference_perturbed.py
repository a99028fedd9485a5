"""The specification of perturbed values, in plain Python."""

from __future__ import annotations

from gpu_wordle.states.draws import Kind, draw
from gpu_wordle.states.lines import Lanes, LeastLines, Lines


class ReferencePerturber:
    """Draws one number at a time, in Python's whole numbers."""

    def __init__(self, seed: int, kind: Kind) -> None:
        self._seed = seed
        self._kind = kind

    def least(self, lines: Lines, lanes: Lanes) -> LeastLines:
        """See Perturber."""
        result = LeastLines.none(len(lines), lanes)
        levels, runs = lanes.shape
        keys = [(int(word_0), int(word_1)) for word_0, word_1 in lines.keys]
        for r in range(runs):
            run = lanes.first_run + r
            drawn = [
                int(weight) * draw(key, self._seed, run, self._kind)
                for key, weight in zip(keys, lines.weight, strict=True)
            ]
            for b in range(len(lines)):
                own = range(lines.indptr[b], lines.indptr[b + 1])
                sums = [sum(drawn[k] for k in self._leaves(lines, i)) for i in own]
                for level in range(levels):
                    alpha, beta = int(lanes.alpha[level, r]), int(lanes.beta[level, r])
                    found = [
                        (alpha * int(lines.total[i]) + beta * sums[place], place)
                        for place, i in enumerate(own)
                    ]
                    if found:
                        result.value[b, level, r], result.place[b, level, r] = min(found)
        return result

    @staticmethod
    def _leaves(lines: Lines, i: int) -> list[int]:
        """The leaves of a line."""
        leaves: list[int] = lines.leaf[lines.leaf_indptr[i] : lines.leaf_indptr[i + 1]].tolist()
        return leaves
