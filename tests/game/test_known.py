"""What is known without guesses: read, filtered and obeyed as brute force does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle.api.games import position_of
from gpu_wordle.cluster.unit import PackedPosition
from gpu_wordle.errors import AmbiguousError, UserError
from gpu_wordle.game.games import load
from gpu_wordle.game.known import Knowledge
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.words import load_words
from support import naive, naive_known
from support.naive_rules import IMPOSSIBLE, NaiveRules
from support.small_game import ANSWERS, GUESSES
from support.solver_games import random_game
from support.word_lists import make_words

WORDS = load_words("original")


@st.composite
def told(draw, most_letters=5):
    """A random game, and knowledge about one of its answers or about none."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    game = random_game(rng, rule=draw(st.sampled_from(Rule)), lengths=(2, most_letters))
    answer = draw(st.sampled_from(game.words.answers.words))
    letters = sorted(set("".join(game.words.guesses.words)))
    template = "".join(draw(st.sampled_from([letter, "*"])) for letter in answer)
    present, absent = {}, {}
    for letter in draw(st.lists(st.sampled_from(letters), unique=True, max_size=4)):
        free = [i for i, each in enumerate(answer, start=1) if each != letter]
        places = draw(st.lists(st.sampled_from(free), unique=True, max_size=3)) if free else []
        copies, known = answer.count(letter), template.count(letter)
        if copies:
            present[letter] = (draw(st.integers(1, copies)), places)
            known = max(known, present[letter][0])
        is_full = copies == known and draw(st.booleans())
        if is_full and (not known or free):
            absent[letter] = [draw(st.sampled_from(free))] if known else []
    return game, (template, present, absent)


def written(given):
    """Knowledge as options spell it."""
    template, present, absent = given
    entries = (n * letter + "".join(map(str, places)) for letter, (n, places) in present.items())
    lacking = (letter + "".join(map(str, places)) for letter, places in absent.items())
    return template, " ".join(entries), ",".join(lacking)


@settings(max_examples=60)
@given(told(), st.data())
def test_the_state_is_that_of_brute_force(asked, data):
    game, given = asked
    known = Knowledge.read(game.words, *written(given))
    left = [word for word in game.words.answers.words if naive_known.agrees(word, *given)]
    if known is None:
        assert left == list(game.words.answers.words)
        return
    assert Knowledge.parse(game.words, known.text) == known
    position = game.knowing(known)
    assert [game.words.answers.words[a] for a in position.state] == left
    answer = data.draw(st.sampled_from(left))
    guess = data.draw(st.sampled_from(game.words.guesses.words))
    seen = naive.feedback(guess, answer)
    if set(seen) != {"G"}:
        after = game.position_after(f"{guess} {seen}", known)
        both = [word for word in left if naive.feedback(guess, word) == seen]
        assert [game.words.answers.words[a] for a in after.state] == both
        assert np.array_equal(game.position_after(after.history).state, after.state)
        assert game.position_after(after.history).history == after.history


@settings(max_examples=60)
@given(told())
def test_rules_restrict_guesses_by_what_is_known(asked):
    game, given = asked
    known = Knowledge.read(game.words, *written(given))
    if known is None:
        return
    position, words = game.knowing(known), game.words.guesses.words
    legal = [naive_known.is_legal(game.rule, word, *given) for word in words]
    if game.rule is Rule.CANDIDATES:
        legal = [word in {game.words.answers.words[a] for a in position.state} for word in words]
    assert position.legal.tolist() == position.choices.tolist() == legal
    for guess, is_legal in enumerate(legal):
        if not is_legal:
            with pytest.raises(UserError, match="is known|no longer possible"):
                position.check_legal(guess)


@settings(max_examples=15)
@given(told(most_letters=4))
def test_values_are_those_of_brute_force(asked):
    game, given = asked
    game = gw.load_game(
        game.words.guesses.words, game.words.answers.words, rule=game.rule.value, max_guesses=4
    )
    position = game.after(
        **dict(zip(("template", "present", "absent"), written(given), strict=True))
    )
    rows = gw.suggest(position, top=100, threads=1)
    rules = NaiveRules(game.guesses, game.rule)
    inner = position_of(position)
    legal = frozenset(inner.game.spell(np.flatnonzero(inner.choices)))
    least = rules.value(position.answers, legal, 4)
    totals = [IMPOSSIBLE if row["infeasible"] else row["total"] for row in rows]
    assert totals[0] == min(totals) == least
    assert rows.facts["remaining"] == list(position.answers)


@pytest.mark.parametrize(
    ("template", "present", "absent", "message"),
    [
        ("****", "", "", r"template '\*\*\*\*' has 4 places; words here have 5 letters"),
        ("**1**", "", "", "'1' is no letter; give a letter for each known place and"),
        ("", "2o", "", "present '2o': give letters, each with the places where it is not"),
        ("", "²", "", "present '²': give letters, each with the places where it is not"),
        ("", "o7", "", "present 'o7': there is no place 7; words here have 5 letters"),
        ("", "o12345", "", "present: too few places are left for O in words of 5 letters"),
        ("", "a1 e1 i1 o1 s1", "", "too few places are left for A and E and I and O and S"),
        ("", "abcdefghijklmnopqrst", "", "present: too few places are left for A and B"),
        ("**e**", "e3", "", "E is in place 3 by template, and by present or absent it is not"),
        ("**e**", "", "e", "absent: E is known to occur, too; leave it out, or write it with"),
        ("", "o2", "too", "absent: O is known to occur, too"),
        ("zzzzz", "", "", "no answer of original .answers. agrees with template zzzzz; check it"),
        ("gu*no", "", "", "no answer agrees, such as GUANO; give answers='guesses' to let every"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(template, present, absent, message):
    with pytest.raises(UserError, match=message) as caught:
        gw.load_game("original").after(template=template, present=present, absent=absent)
    assert "\n" not in str(caught.value)


def test_what_has_two_readings_is_refused():
    with pytest.raises(AmbiguousError, match="as o s2, or as o2 s2; write one of them"):
        Knowledge.read(WORDS, present="os2")
    with pytest.raises(UserError, match="what is known is given twice"):
        gw.load_game("original").after("known:**er*// known:**er*//")
    with pytest.raises(UserError, match="give letters by place, present and absent ones, as in"):
        gw.load_game("original").after("known:**er*")
    with pytest.raises(UserError, match=r"after SALET BBBBB; .*, and template s\*+$"):
        gw.load_game("original").after("salet BBBBB", template="s****")


@pytest.mark.parametrize("template", ["**er*", "..ER.", "_ _ e r ?", "?_er*"])
def test_knowledge_is_spelled_in_several_ways(template):
    known = Knowledge.read(WORDS, template, "O2, s45", "tl ac")
    assert known == Knowledge.read(WORDS, "**er*", "s4 o2s5", "c,a,t,l")
    assert known.text == "known:**er*/o2,s45/aclt"


def test_games_without_letters_have_turns_only():
    digits = make_words(["123", "456"], ["123", "456"])
    for words in (digits, load("mastermind:2x3")):
        with pytest.raises(UserError, match="are about letters, and .* without them; give turns"):
            Knowledge.read(words, "1**")


def test_positions_keep_what_is_known():
    game = gw.load_game(GUESSES, ANSWERS, rule="hard")
    position = game.after(template="*a*", absent="r")
    assert position == game.after(position.history) != game.start
    assert position.answers == tuple(w for w in ANSWERS if w[1] == "a" and "r" not in w)
    assert "rib" not in position.legal_guesses
    assert position.guesses_left == 6
    further = position.after("Puzzle 4 X/6\ncat ⬛🟩🟩")
    assert further == game.after("cat BGG", template="*a*", absent="r")
    assert further == game.after(f"{position.history}\nPuzzle 4 X/6\ncat ⬛🟩🟩")
    assert further.history == "known:*a*//r cat BGG"
    assert repr(further).startswith("Position('template *a*, absent r; cat BGG', 6 of")
    with pytest.raises(UserError, match="^state 'cat GGB': turn 1: [^:]*$"):
        position.after("cat GGB")
    inner = position_of(further)
    again = PackedPosition.of(inner).within(inner.game)
    assert (again.history, again.symmetry) == (inner.history, None)


def test_strategies_from_what_is_known_are_checked_and_read_back(tmp_path):
    game = gw.load_game(GUESSES, ANSWERS, rule="hard", max_guesses=0)
    position = game.after(template="*a*", absent="r")
    solved = gw.solve(position, "bat")
    path = tmp_path / "bat.h5"
    solved.tree.save(path)
    assert gw.verify_file(path)["total"] == solved.total
    with pytest.raises(UserError, match="is illegal under the hard rule: A is known to be in plac"):
        gw.solve(position, "rib")
    free = gw.solve(
        gw.load_game(GUESSES, ANSWERS, max_guesses=0).after(template="*a*", absent="r"), "chf"
    )
    free.tree.save(tmp_path / "chf.txt")
    with pytest.raises(UserError, match="A is known to be in place 2"):
        gw.verify_file(tmp_path / "chf.txt", position)


def test_the_command_line_takes_what_is_known(run):
    shown = run("suggest", "--template", "*a*", "--absent", "r", "--top", 3)
    assert "answers left: bat cat fat hat mat pat sat" in shown
    assert run("suggest", "--state", "known:*a*//r", "--top", 3) == shown
    both = run("suggest", "cat", "BGG", "--template", "*a*", "--absent", "r", "--top", 3)
    assert "answers left: bat fat hat mat pat sat" in both
    with pytest.raises(UserError, match="what is known is given twice, also as 'known:"):
        run("suggest", "--state", "known:*a*//r", "--template", "*a*")
    with pytest.raises(UserError, match="a certificate is of a game from its start"):
        run("solve", "bat", "--state", "known:*a*//r", "--certificate", "x.txt")
