"""Trees: three written forms, and a checker that lets nothing pass."""

import json

import numpy as np
import pytest
from hypothesis import given, settings

from gpu_wordle.errors import UserError
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.weights import Weights
from gpu_wordle.states.tree import NO_PARENT, DecisionTree, show
from gpu_wordle.store.tree_json import of_json
from gpu_wordle.verify import VerificationError, Verifier
from support import naive
from support.word_lists import make_words, random_words

WORDS = make_words(["crane", "slate", "trace", "react"], ["crane", "trace", "react"])


def greedy_tree(words):
    """A strategy in the most obvious way: always guess the first answer that is left."""
    nodes = []

    def extract_tree(answers, parent, pattern):
        node = len(nodes)
        guess = answers[0]
        nodes.append((words.guesses.find(guess), parent, pattern))
        parts = {}
        for answer in answers[1:]:
            parts.setdefault(naive.pattern(guess, answer), []).append(answer)
        for code in sorted(parts):
            extract_tree(parts[code], node, code)

    extract_tree(list(words.answers.words), NO_PARENT, 0)
    guess, parent, pattern = zip(*nodes, strict=True)
    return DecisionTree(
        np.array(guess, np.int32), np.array(parent, np.int32), np.array(pattern, np.uint16)
    )


def naive_turns(words, tree):
    """Turn on which each answer is found, by following the tree."""
    children = {}
    for node in range(1, len(tree)):
        children[tree.parent[node], tree.pattern[node]] = node
    turns = []
    for answer in words.answers.words:
        node, turn = 0, 1
        while words.guesses.words[tree.guess[node]] != answer:
            guess = words.guesses.words[tree.guess[node]]
            node, turn = children[node, naive.pattern(guess, answer)], turn + 1
        turns.append(turn)
    return turns


@given(random_words(lengths=(3, 6)))
@settings(max_examples=50)
def test_written_forms_are_read_back(words):
    tree = greedy_tree(words)
    everything = np.arange(len(words.answers), dtype=np.uint16)
    text = tree.to_text(words, everything)
    assert text.count("\n") == len(words.answers)
    assert DecisionTree.from_text(text, words) == tree
    shuffled = "\n".join(reversed(text.splitlines()))
    assert DecisionTree.from_text(shuffled, words) == tree
    assert of_json(tree.to_json(words), words).tree == tree
    assert words.guesses.words[tree.guess[0]].upper() in show(tree, words)


@given(random_words(lengths=(3, 6)))
@settings(max_examples=50)
def test_the_checker_agrees_with_the_oracle(words):
    tree = greedy_tree(words)
    turns = naive_turns(words, tree)
    verdict = Verifier(words, Objective(None)).check(tree, rule=Rule.CANDIDATES)
    assert verdict.total == sum(turns)
    assert verdict.worst == max(turns) == tree.height
    assert verdict.distribution.tolist() == [turns.count(t + 1) for t in range(max(turns))]
    assert verdict.answers == len(turns)
    if max(turns) > 1:
        with pytest.raises(VerificationError, match="not found within"):
            Verifier(words, Objective(max(turns) - 1)).check(tree)


def test_text_form_is_that_of_the_literature():
    tree = greedy_tree(WORDS)
    lines = tree.to_text(WORDS, np.arange(3, dtype=np.uint16)).splitlines()
    assert lines[0] == "crane GGGGG1"
    assert lines[2] == "crane YGGBG1 trace GGGGG2"


def broken(change):
    tree = greedy_tree(WORDS)
    guess, parent, pattern = (a.copy() for a in (tree.guess, tree.parent, tree.pattern))
    change(guess, parent, pattern)
    return DecisionTree(guess, parent, pattern)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g, par, pat: g.__setitem__(1, 1), "never found|no guess|not found within"),
        (lambda g, par, pat: g.__setitem__(1, 99), "not in the list"),
        (lambda g, par, pat: g.__setitem__(1, len(WORDS.guesses)), "not in the list"),
        (lambda g, par, pat: g.__setitem__(1, -1), "not in the list"),
        (lambda g, par, pat: par.__setitem__(0, 0), "no root"),
        (lambda g, par, pat: par.__setitem__(0, -2), "no root"),
        (lambda g, par, pat: par.__setitem__(1, 2), "before the one"),
        (lambda g, par, pat: par.__setitem__(1, -1), "before the one"),
        (lambda g, par, pat: par.__setitem__(2, 1), "no guess"),
        (lambda g, par, pat: pat.__setitem__(1, 7), "no guess"),
        (lambda g, par, pat: pat.__setitem__(1, pat[2]), "two guesses for the same"),
    ],
)
def test_the_checker_finds_every_fault(change, message):
    with pytest.raises(VerificationError, match=message):
        Verifier(WORDS, Objective()).check(broken(change))


def test_the_checker_finds_guesses_that_are_never_reached():
    tree = greedy_tree(WORDS)
    longer = DecisionTree(
        np.append(tree.guess, 1).astype(np.int32),
        np.append(tree.parent, 0).astype(np.int32),
        np.append(tree.pattern, 1).astype(np.uint16),
    )
    with pytest.raises(VerificationError, match="1 guesses of the tree are never reached"):
        Verifier(WORDS, Objective()).check(longer)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g, par, pat: g.__setitem__(1, 1), "no guess|not found within"),
        (lambda g, par, pat: g.__setitem__(1, 99), "not in the list"),
        (lambda g, par, pat: par.__setitem__(0, 0), "no root"),
        (lambda g, par, pat: par.__setitem__(1, 2), "before the one"),
        (lambda g, par, pat: pat.__setitem__(1, 7), "no guess"),
        (lambda g, par, pat: pat.__setitem__(1, pat[2]), "two guesses for the same"),
    ],
)
def test_a_fault_of_one_tree_is_found_among_others(change, message, place):
    trees = [greedy_tree(WORDS)] * 3
    trees[place] = broken(change)
    with pytest.raises(VerificationError, match=message):
        Verifier(WORDS, Objective()).check_all(trees)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_tree_without_a_guess_is_found_among_others(place):
    trees = [greedy_tree(WORDS)] * 3
    nothing = np.empty(0, np.int32)
    trees[place] = DecisionTree(nothing, nothing, nothing.astype(np.uint16))
    with pytest.raises(VerificationError, match="no root"):
        Verifier(WORDS, Objective()).check_all(trees)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_claims_and_unreached_guesses_are_those_of_one_tree(place):
    tree, verifier = greedy_tree(WORDS), Verifier(WORDS, Objective())
    value = verifier.check(tree).value
    claims = [value] * 3
    assert [each.value for each in verifier.check_all([tree] * 3, claimed=claims)] == claims
    claims[place] = value + 1
    with pytest.raises(VerificationError, match=f"a value of {value} .*, not {value + 1}"):
        verifier.check_all([tree] * 3, claimed=claims)
    trees = [tree] * 3
    trees[place] = DecisionTree(
        np.append(tree.guess, [1, 1]).astype(np.int32),
        np.append(tree.parent, [0, 0]).astype(np.int32),
        np.append(tree.pattern, [1, 2]).astype(np.uint16),
    )
    with pytest.raises(VerificationError, match="^2 guesses of the tree are never reached"):
        verifier.check_all(trees)


@given(random_words(lengths=(3, 5)))
@settings(max_examples=30)
def test_trees_played_together_do_what_they_do_alone(words):
    backwards = make_words(list(words.guesses.words), list(words.answers.words)[::-1])
    tree = greedy_tree(words)
    other = greedy_tree(backwards)
    verifier = Verifier(words, Objective(None))
    for rule in (Rule.NORMAL, Rule.CANDIDATES):
        together = verifier.check_all([tree, other, tree], rule=rule)
        for each, verdict in zip((tree, other, tree), together, strict=True):
            alone = verifier.check(each, rule=rule)
            assert (verdict.value, verdict.total, verdict.worst) == (
                alone.value,
                alone.total,
                alone.worst,
            )
            assert verdict.distribution.tolist() == alone.distribution.tolist()
        latest = max(verdict.worst for verdict in together)
        assert together.distribution.shape == together.weight_distribution.shape == (3, latest)
        assert naive_turns(words, other).count(1) == together[1].distribution[0]


def test_the_checker_knows_the_candidates_rule():
    words = make_words(["crane", "slate", "trace"], ["crane", "trace"])
    text = "slate BBGBG1 crane GGGGG2\nslate BBGYG1 slate BBGYG2 trace GGGGG3\n"
    tree = DecisionTree.from_text(text, words)
    assert Verifier(words, Objective()).check(tree).total == 5
    with pytest.raises(VerificationError, match="SLATE on turn 2 is no longer possible"):
        Verifier(words, Objective()).check(tree, rule=Rule.CANDIDATES)
    # The first guess of a game may be any; the first one of a tree in mid-game is not.
    direct = "slate BBGBG1 crane GGGGG2\nslate BBGYG1 trace GGGGG2\n"
    tree = DecisionTree.from_text(direct, words)
    assert Verifier(words, Objective()).check(tree, rule=Rule.CANDIDATES).total == 4
    state = np.array([1], np.uint16)
    made = [(words.guesses.find("slate"), words.feedback.parse("BBGYG"))]
    below = DecisionTree.from_text("slate BBGYG1 trace GGGGG2\n", words)
    assert Verifier(words, Objective()).check(below, state, turns=made).total == 2
    with pytest.raises(VerificationError, match="SLATE on turn 1 is no longer possible"):
        Verifier(words, Objective()).check(below, state, rule=Rule.CANDIDATES, turns=made)


def test_every_turn_binds_under_ultra_hard():
    words = make_words(["abc", "dbe", "fbg", "abg"], ["fbg"])
    checker = Verifier(words, Objective())
    tree = DecisionTree.from_text("abc BGB1 dbe BGB2 abg BGG3 fbg GGG4\n", words)
    assert checker.check(tree).total == 4
    with pytest.raises(VerificationError, match="ABG on turn 3 .* would not have given ABC BGB"):
        checker.check(tree, rule=Rule.ULTRA_HARD)
    below = DecisionTree.from_text("dbe BGB1 abg BGG2 fbg GGG3\n", words)
    made = [(words.guesses.find("abc"), words.feedback.parse("BGB"))]
    assert checker.check(below, turns=made).total == 3
    with pytest.raises(VerificationError, match="ABG on turn 2 .* would not have given ABC BGB"):
        checker.check(below, turns=made, rule=Rule.ULTRA_HARD)


# ABA and ACA are told apart from each other by no guess but themselves; so are the others.
TWINS = make_words(["aba", "aca", "ada", "aea"], ["aba", "aca", "ada", "aea"])
LOSSY = "aba GGG1\naba GBG1 aca GGG2\naba GBG1 aca GBG2\naba GBG1 aca GBG2\n"


def lossy_tree():
    return DecisionTree.from_text(LOSSY, TWINS, may_lose=True)


def test_answers_may_be_lost_where_the_objective_allows_it():
    objective = Objective.parse("fewest-failures", 2, Weights((5, 3, 2, 1)))
    tree = lossy_tree()
    verdict = Verifier(TWINS, objective).check(tree)
    scale = 11 * 2 + 1
    assert verdict.value == 3 * scale + 5 * 1 + 3 * 2
    assert (verdict.total, verdict.worst, verdict.answers, verdict.failures) == (3, 2, 4, 2)
    assert verdict.distribution.tolist() == [1, 1]
    assert verdict.weight_distribution.tolist() == [5, 3]
    Verifier(TWINS, objective).check(tree, claimed=80)
    assert tree.to_text(TWINS, np.arange(4, dtype=np.uint16)) == LOSSY
    with pytest.raises(VerificationError, match=r"value of 80 \(fewest-failures\), not 79"):
        Verifier(TWINS, objective).check(tree, claimed=79)
    for name in ("mean", "worst", "within:2", "cost:1,9"):
        with pytest.raises(VerificationError, match="ACA on turn 2 may be answered GBG"):
            Verifier(TWINS, Objective.parse(name, 2)).check(tree)
    with pytest.raises(UserError, match="the last pattern is not GGG"):
        DecisionTree.from_text(LOSSY, TWINS)


def test_answers_are_not_given_up_before_the_last_guess():
    objective = Objective.parse("fewest-failures", 3)
    with pytest.raises(VerificationError, match="ACA on turn 2 may be answered GBG"):
        Verifier(TWINS, objective).check(lossy_tree())
    deeper = LOSSY.replace("GBG2", "GBG2 ada GGG3", 1).replace("GBG2\n", "GBG2 ada GBG3\n")
    tree = DecisionTree.from_text(deeper, TWINS, may_lose=True)
    assert Verifier(TWINS, objective).check(tree).failures == 1
    with pytest.raises(VerificationError, match="not found within 2 guesses"):
        Verifier(TWINS, Objective.parse("fewest-failures", 2)).check(tree)
    # After one guess two are left of three: the state below is lost to the same extent.
    objective = Objective.parse("fewest-failures", 3)
    aba = (TWINS.guesses.find("aba"), naive.pattern("aba", "aca"))
    state = np.array([1, 2, 3], np.uint16)
    text = "aca GGG1\naca GBG1 ada GGG2\naca GBG1 ada GBG2\n"
    below = DecisionTree.from_text(text, TWINS, may_lose=True)
    verdict = Verifier(TWINS, objective).check(below, state, turns=[aba])
    assert verdict.value == (4 * 3 + 1 - 1) + 1 + 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mean", 5 + 3 * 2 + 2 * 3 + 4),
        ("worst", (11 * 4 + 1) * 4 + 21),
        ("within:2", (11 * 4 + 1) * 3 + 21),
        ("fewest-failures", 21),
        ("cost:1,10,100,1000", 5 + 30 + 200 + 1000),
    ],
)
def test_the_checker_charges_what_the_objective_says(name, value):
    lines = ["aba GGG1", "aba GBG1 aca GGG2", "aba GBG1 aca GBG2 ada GGG3"]
    lines += ["aba GBG1 aca GBG2 ada GBG3 aea GGG4"]
    tree = DecisionTree.from_text("\n".join(lines), TWINS)
    objective = Objective.parse(name, 4, Weights((5, 3, 2, 1)))
    verdict = Verifier(TWINS, objective).check(tree, claimed=value)
    assert verdict.weight_distribution.tolist() == [5, 3, 2, 1]
    assert (verdict.total, verdict.worst, verdict.failures) == (10, 4, 0)
    for claimed in (value - 1, value + 1):
        told = f"starts with ABA has a value of {value}.*, not {claimed}"
        with pytest.raises(VerificationError, match=told):
            Verifier(TWINS, objective).check(tree, claimed=claimed)


def test_a_guess_that_cannot_be_the_answer_any_more_has_no_line_of_its_own():
    words = make_words(["abc", "abd", "xbc"], ["abc", "abd", "xbc"])
    text = "abd GGG1\nabd GGB1 abd GGB2 abc GGG3\nabd BGB1 xbc GGG2\n"
    tree = DecisionTree.from_text(text, words)
    written = tree.to_text(words, np.arange(3, dtype=np.uint16))
    assert sorted(written.splitlines()) == sorted(text.splitlines())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("crane", "line 1: expected a guess and its pattern"),
        ("crane GGGGG2", "line 1: 'GGGGG2' should be a pattern followed by its turn, 1"),
        ("crane GGGGB1", "line 1: the last pattern"),
        ("crane YGGBG1 zebra GGGGG2", "line 1: 'zebra' is not one"),
        ("crane GGGGG1\nslate YGGBG1 trace GGGGG2", "line 2: turn 1 guesses 'slate'"),
    ],
)
def test_bad_text_is_refused(text, message):
    with pytest.raises(UserError, match=message):
        DecisionTree.from_text(text, WORDS)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"guess": "crane"', '{"guess": 3, "next": {}}'])
def test_bad_json_is_refused(text):
    with pytest.raises(UserError, match="JSON"):
        of_json(text, WORDS)


def test_json_form_nests():
    nested = json.loads(greedy_tree(WORDS).to_json(WORDS))
    assert nested["guess"] == "crane"
    assert nested["next"]["YGGBG"] == {"guess": "trace", "next": {}}
