"""Rank every opener of a list of your own, exactly.

Lists may be files too: ``gw.load_game("words.txt", "hidden.txt")``.
"""

from __future__ import annotations

import gpu_wordle as gw

BIRDS = "coot crow dodo dove duck erne gull hawk ibis kite knot lark loon rail rhea rook skua smew "
BIRDS += "swan teal tern wren"
PROBES = "clan cork lido nark reds tile"
"""Words that are never hidden, and may be guessed all the same."""


def main() -> None:
    """Print the best openers, and what follows after the best one."""
    birds = BIRDS.split()
    game = gw.load_game([*birds, *PROBES.split()], birds)
    ranking = gw.rank(game, exact="all")
    for row in ranking.head(5):
        print(f"{row['opener']}  {row['mean']:.4f} guesses, at most {row['worst']}")

    result = gw.solve(game, guess=ranking.best)
    print(f"after {ranking.best}:")
    for pattern, tree in result.tree.children.items():
        print(f"  {pattern}  {len(tree.answers):2} left, guess {tree.guess}")


if __name__ == "__main__":
    main()
