"""Published totals come out by the commands in the documentation; ties go by the stated order."""

import re
import shlex

import numpy as np
import pytest

from gpu_wordle.api.session import open_game
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.strategy import Choice, Order, Ties
from support import ROOT
from support.commands import invoke
from support.output import rows_of
from support.strategies import start_of
from support.word_lists import make_words

PAGE = (ROOT / "docs/howto/strategies.md").read_text()
COMMANDS = re.findall(r"^\| ([0-9],[0-9]{3}) \|[^|]*\| `([a-z-]+ --opener [^`]*)` \|$", PAGE, re.M)
BY_ENTROPY = re.findall(r"^\| (8,[0-9]{3}) \|[^|]*\| (none|`--ties[^`]*`) \|$", PAGE, re.M)
FROM_SOARE = [
    (total, "entropy --opener soare " + ("" if options == "none" else options.strip("`")))
    for total, options in BY_ENTROPY
]


def test_both_tables_are_read():
    assert (len(COMMANDS), len(FROM_SOARE)) == (8, 5)


@pytest.mark.parametrize(("total", "command"), [*COMMANDS, *FROM_SOARE])
def test_a_published_total_comes_out_by_its_command(capsys, total, command):
    invoke(["simulate", *shlex.split(command), "--json", "--quiet"])
    (row,) = rows_of(capsys.readouterr().out)
    assert f"{row['total']:,}" == total


def first_by(order, words, chosen):
    """The chosen word that comes first, by sorting all of them."""
    keys = {
        Order.LISTED: words.guesses.words.index,
        Order.ALPHABETICAL: str,
        Order.ANSWERS_FIRST: lambda word: (
            word not in words.answers.index,
            words.guesses.words.index(word),
        ),
    }
    return sorted(chosen, key=keys[order])


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("ties", [Ties.WORDS, Ties.LAST])
def test_ties_go_by_the_order(order, ties):
    game = open_game(
        make_words(["cxx", "bat", "bxx", "cat"], ["cat", "bat"])
    )  # all tell them apart
    words = game.words
    positions = start_of(game)
    strategy = make_strategy("max-part", game, Choice(survivors=1, ties=ties, order=order))
    scores = strategy.scores(positions)[0]
    best = [words.guesses.words[g] for g in np.flatnonzero(scores == scores.max())]
    assert len(best) == 4
    wanted = first_by(order, words, best)[0 if ties is Ties.WORDS else -1]
    (played,) = strategy.choose(positions)
    assert words.guesses.words[played] == wanted
