"""Questions for browsing: available choices, words, rankings, and strategies as trees."""

from __future__ import annotations

from typing import Annotated, Any

from gpu_wordle.api import jobs
from gpu_wordle.api.files import describe_ranking, published_openers
from gpu_wordle.api.games import identity_of
from gpu_wordle.api.trees import Tree
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.watch import TOO_LONG
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.options.declared import Option
from gpu_wordle.options.reading import whole
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.strategies.named import STRATEGIES
from gpu_wordle.web.parameters import (
    MAX_ANSWER_SECONDS,
    MAX_BODY_BYTES,
    MAX_TOP,
    MAX_TURNS_TOLD,
    RANKING,
    Feedbacks,
    Guess,
)
from gpu_wordle.web.questions import Asked, Lists, OverdueError, Searched, question
from gpu_wordle.web.shelf import GameName

MAX_NAMED_ANSWERS = 12
"""Most answers of a part that a tree names."""

LEFT_OUT = ("value", "height", "expanded", "seconds")
"""Columns of a ranking that describe the search instead of the openers."""

RULES = {
    "normal": "any guess",
    "hard": "green letters stay in place, and yellow ones are used again",
    "ultra-hard": "guesses agree with all feedback",
    "candidates": "only answers that are still possible",
}
OBJECTIVES = {
    "mean": "fewest guesses on average",
    "mean,worst": "fewest guesses on average, then the best worst case",
    "worst": "the best worst case, then fewest guesses on average",
    "within:K": "fewest answers not found within K guesses, then fewest guesses on average",
    "fewest-failures": "fewest answers not found in time, then fewest guesses on average",
    "cost:PRICE,PRICE,...": "the lowest total price of the turns",
}


@question()
def choices(asked: Asked) -> dict[str, Any]:
    """The available lists, rules, objectives, strategies, statistics and limits."""
    offer, known = asked.shelf.offer, catalogue()
    lists = []
    for name in offer.named_lists:
        words = asked.shelf.words(GameName(guesses=name))
        entry = known.get(name, {})
        lists.append(
            {
                "list": name,
                "guess_count": len(words.guesses),
                "answer_count": len(words.answers),
                "description": entry.get("description", words.guesses.source),
                "licence": entry.get("licence"),
            }
        )
    return {
        "lists": lists,
        "rules": [{"rule": name, "description": said} for name, said in RULES.items()],
        "objectives": [
            {"objective": name, "description": said} for name, said in OBJECTIVES.items()
        ],
        "weights": offer.named_weights,
        "strategies": [
            {"strategy": each.name, "description": each.description}
            for name, each in STRATEGIES.items()
            if name not in TOO_LONG
        ],
        "statistics": [
            {
                "name": each.key,
                "heading": each.heading.replace("\n", " "),
                "description": each.description,
                "decimals": each.decimals,
                "most_first": each.most_first,
            }
            for each in STATISTICS.values()
        ],
        "limits": {
            "max_top": MAX_TOP,
            "max_body_bytes": MAX_BODY_BYTES,
            "max_seconds": MAX_ANSWER_SECONDS,
            "max_turns": MAX_TURNS_TOLD,
        },
    }


@question()
def words(asked: Lists) -> dict[str, Any]:
    """All guesses and answers of a game, in the order of their lists."""
    found = asked.shelf.words(asked.name)
    return {"guesses": list(found.guesses.words), "answers": list(found.answers.words)}


@question()
def rankings(asked: Asked) -> dict[str, Any]:
    """The available rankings, with the game of each."""
    offer, known = asked.shelf.offer, catalogue()
    lists = {entry["guesses_sha256"]: name for name, entry in reversed(known.items())}
    rows = []
    for name, path in offer.named_rankings.items():
        said = describe_ranking(path)
        sha256 = said.pop("guesses_sha256")
        source = "file" if name in offer.rankings else "published"
        rows.append({"name": name, "guesses": lists.get(sha256), **said, "source": source})
    return {"rankings": rows}


@question(path="rankings/{name}")
def ranking(asked: Asked, *, name: Annotated[str, RANKING]) -> dict[str, Any]:
    """A ranking, stored by column, best opener first."""
    table, position = asked.shelf.ranking(name)
    columns = {
        column.name: column.values for column in table.all_columns() if column.name not in LEFT_OUT
    }
    return {**envelope("rank", position), "columns": columns}


@question("node")
def tree(
    asked: Searched,
    *,
    guess: Guess = None,
    path: Feedbacks = None,
    depth: Annotated[int, Option("Number of turns of the tree to return.", whole(1, 6))] = 1,
) -> Document:
    """A node of the best strategy, or of the best one after a guess, with its subtree."""
    node = _tree(asked, None if guess is None else asked.game.words.guesses.find(guess))
    for feedback in path or []:
        node = node[feedback]
    answer = {"node": node.describe(depth, MAX_NAMED_ANSWERS)}
    return Document(envelope("tree", asked.position), answer)


def _tree(asked: Asked, guess: int | None) -> Tree:
    """The strategy, from the shelf if it was solved before."""
    at, kept = asked.position, asked.shelf.trees
    if guess is None and at.is_start:
        guess = _best_opener(asked)
    key = identity_of(asked.game), at.history, guess
    found = kept.get(key)
    if found is not None:
        return found
    solved = jobs.solve(asked.session, [guess], asked.stop_token)
    result = solved[0].result if solved else None
    if result is not None and result.is_infeasible:
        raise UserError("no strategy is a guaranteed win from there; raise the guess limit")
    if result is None or result.tree is None:
        raise OverdueError
    return kept.put(key, Tree._of(result.tree, at))


def _best_opener(asked: Asked) -> int | None:
    """The best opener of the published ranking; None if there is none."""
    known = published_openers(asked.game)
    return None if known is None else int(known.order()[0])
