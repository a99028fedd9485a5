"""Trees of other programs: each form is read as the tree that it holds, or refused by its line."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle import store
from gpu_wordle.api.checking import check_tree
from gpu_wordle.errors import AmbiguousError, UserError
from gpu_wordle.game.games import mastermind
from gpu_wordle.game.objective import Objective
from gpu_wordle.states.tree import NO_PARENT, DecisionTree
from gpu_wordle.store import tree_forms
from gpu_wordle.store.tree_writers import WRITERS
from gpu_wordle.verify import VerificationError
from support import naive
from support.word_lists import make_game, make_words, random_words

ANSWERS = ["bumpy", "dumpy", "jumpy"]
WORDS = make_words(["jibed", "tares", *ANSWERS], ANSWERS)


def game_of(words):
    return make_game(words, objective=Objective(None))


@pytest.fixture(scope="module")
def game():
    return game_of(WORDS)


def some_tree(words, seed):
    """A strategy of random guesses, each of which tells answers apart or may be the answer."""
    rng, nodes = np.random.default_rng(seed), []
    guesses = words.guesses.words

    def grow(answers, parent, pattern):
        chosen = answers[rng.integers(len(answers))]
        for guess in rng.permutation(guesses)[:5].tolist():
            if len({naive.pattern(guess, answer) for answer in answers}) > 1:
                chosen = guess
        node = len(nodes)
        nodes.append((words.guesses.index[chosen], parent, pattern))
        parts = {}
        for answer in answers:
            if answer != chosen:
                parts.setdefault(naive.pattern(chosen, answer), []).append(answer)
        for seen in sorted(parts):
            grow(parts[seen], node, seen)

    grow(list(words.answers.words), NO_PARENT, 0)
    guess, parent, pattern = zip(*nodes, strict=True)
    return DecisionTree(
        np.array(guess, np.int32), np.array(parent, np.int32), np.array(pattern, np.uint16)
    )


def read(path, text, game):
    path.write_text(text, encoding="utf-8")
    return store.begun(path, store.load_tree(path, game), game.start())


@given(random_words(lengths=(2, 6)), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_what_is_written_in_a_form_is_read_back(tmp_path_factory, words, seed):
    game, tree = game_of(words), some_tree(words, seed)
    folder = tmp_path_factory.mktemp("trees")
    for suffix, write in WRITERS.items():
        path = folder / f"t{suffix}"
        path.write_text(write(tree, game.start()), encoding="utf-8")
        stored = store.load_tree(path, game)
        assert stored.tree == tree, suffix
        assert store.begun(path, stored, game.start())[0] is stored
        assert check_tree(stored, game.start()).answers == len(words.answers)


@given(random_words((3, 5), most_guesses=16, least_answers=6), st.integers(0, 2**32 - 1))
@settings(max_examples=15)
def test_a_part_of_a_tree_is_that_of_its_state(tmp_path_factory, words, seed):
    """Written with the turn that leads to it, as programs do that print a tree after a guess."""
    game, tree = game_of(words), some_tree(words, seed)
    path = tmp_path_factory.mktemp("trees") / "t.tree"
    root, lines = int(tree.guess[0]), tree.to_text(words, game.root()).splitlines()
    seen = {line.split()[1] for line in lines} - {
        f"{words.feedback.format(words.feedback.solved)}1"
    }
    for turn in sorted(seen):
        pattern = words.feedback.parse(turn[:-1])
        after = game.start().after(root, pattern)
        path.write_text("\n".join(line for line in lines if line.split()[1] == turn))
        for place in (game.start(), after):
            stored, found = store.begun(path, store.load_tree(path, game), place)
            assert check_tree(stored, found).answers == len(found.state)
            is_whole = found.turns == () and len(seen) == 1
            assert is_whole or (found.turns, stored.tree.turns[0]) == (after.turns, 1)


FILLED = "jibed BBBBY1 dumpy GGGGG2\njibed BBYBB1 bumpy GGGGG2\njibed GBBBB1 jumpy GGGGG2\n"
SAME = {
    "columns.tree": "jibed BBBBY1 dumpy GGGGG2\n      BBYBB1 bumpy GGGGG2\n"
    "      GBBBB1 jumpy GGGGG2",
    "indented.txt": "\n  jibed BBBBY1 dumpy GGGGG2\n        BBYBB1 bumpy GGGGG2\n"
    "\n        GBBBB1 jumpy GGGGG2\n",
    "squares.txt": "jibed ⬛⬛⬛⬛🟨1 dumpy 🟩🟩🟩🟩🟩2\n      ⬛⬛🟨⬛⬛1 bumpy 🟩🟩🟩🟩🟩2\n"
    "      🟩⬛⬛⬛⬛1 jumpy 🟩🟩🟩🟩🟩2\n",
    "digits.txt": FILLED.replace("B", "0").replace("Y", "1").replace("G", "2"),
    "bare.txt": re.sub(r"[12]\b", "", FILLED),
    "map.json": '{"guess":"jibed","map":{"00001":"dumpy","00100":"bumpy","20000":"jumpy"}}',
    "module.js": 'export default {"guess":"JIBED","map":{"00001":"dumpy","00100":{"guess":"bumpy",'
    '"map":{"22222":"bumpy"}},"20000":"jumpy"},"depth":1};\n',
    "choice.json": '{"tree":{"guess":"jibed","choice":{"----?":{"guess":"dumpy","choice":{}},'
    '"--?--":{"guess":"bumpy","choice":{"!!!!!":null}},"!----":{"guess":"jumpy","choice":{}}}},'
    '"dictionary":["jumpy"]}',
    "words.json": '{"word":"jibed","next":{"bbbby":{"word":"dumpy"},"bbybb":{"word":"bumpy"},'
    '"gbbbb":{"word":"jumpy"}}}',
    "flat.json": '{"BBBBY":"dumpy","":"jibed","BBYBB":"bumpy","GBBBB":"jumpy",'
    '"GBBBB GGGGG":"jumpy"}',
    "together.json": '{"":"jibed","00001":"dumpy","00100":"bumpy","20000":"jumpy",'
    '"2000022222":"jumpy"}',
    "table.csv": "feedback1,guess\n,jibed\nBBBBY,dumpy\nBBYBB,bumpy\nGBBBB,jumpy\n",
    "history.csv": "BBBBY;dumpy\r\n;jibed\r\nBBYBB;bumpy\r\nGBBBB;jumpy\r\nGBBBB GGGGG;\r\n",
    "paths.csv": "jibed,BBBBY,dumpy,GGGGG\njibed,BBYBB,bumpy\njibed,GBBBB,jumpy,\n",
    "lists.csv": "guess1,guess2\njibed,bumpy\njibed,dumpy\njibed,jumpy\n",
    "lists.txt": "jibed jumpy\njibed dumpy\njibed bumpy\n",
}
"""One tree, as different programs write it."""


@pytest.mark.parametrize("name", SAME)
def test_one_tree_in_the_forms_of_others(tmp_path, game, name):
    stored, start = read(tmp_path / name, SAME[name], game)
    assert stored.tree == DecisionTree.from_text(FILLED, WORDS)
    assert check_tree(stored, start).distribution.tolist() == [0, 3]


def test_the_form_is_told_with_what_was_not_read(tmp_path, game):
    def form(name):
        return read(tmp_path / name, SAME[name], game)[0].form

    assert form("digits.txt") == tree_forms.LINES
    assert form("columns.tree") == tree_forms.BLANK_COLUMNS
    assert (
        form("module.js") == "nested JSON of guess and map with a key for all green, without depth"
    )
    assert form("flat.json") == form("history.csv") == tree_forms.TABLE


BEGUN = "tares BBBBB1 jibed BBBBY2 dumpy GGGGG3\n                   BBYBB2 bumpy GGGGG3\n"


def test_turns_already_made_are_cut(tmp_path):
    answers = [*ANSWERS, "tasty"]
    game = game_of(make_words(["jibed", "tares", *answers], answers))
    text = f"{BEGUN}                   GBBBB2 jumpy GGGGG3\n"
    path = tmp_path / "t.txt"
    path.write_text(text)
    stored = store.load_tree(path, game)
    for state in ("", "tares BBBBB"):
        rest, position = store.begun(path, stored, game.position_after(state))
        assert position.history == "tares BBBBB"
        assert check_tree(rest, position).distribution.tolist() == [0, 3]


def test_turns_are_numbered_from_the_state(tmp_path, game):
    path = tmp_path / "t.txt"
    path.write_text(re.sub("[12]\\b", lambda n: str(int(n[0]) + 1), SAME["columns.tree"]))
    stored = store.load_tree(path, game)
    with pytest.raises(UserError, match=r"numbered from 2, after 1 turn; the state has 0, so give"):
        store.begun(path, stored, game.start())
    rest, position = store.begun(path, stored, game.position_after("tares BBBBB"))
    assert check_tree(rest, position).total == 6
    path.write_text(path.read_text().replace("GGGGG3", "GGGGG2"))
    with pytest.raises(UserError, match=r"line 1: 'GGGGG2' should end in its turn, 3"):
        store.load_tree(path, game)


def test_feedback_that_no_answer_gives_is_no_turn(tmp_path, game):
    with pytest.raises(UserError, match=r"t.txt: after the turns with which it begins, no answer"):
        read(tmp_path / "t.txt", "tares GGBBB1 jibed BBBBY2 dumpy GGGGG3\n", game)


def test_a_line_that_is_missing_is_no_turn_already_made(tmp_path):
    game = game_of(make_words(ANSWERS, ANSWERS))
    stored, start = read(tmp_path / "t.txt", "bumpy GGGGG1\nbumpy BGGGG1 dumpy GGGGG2\n", game)
    assert start.turns == ()
    with pytest.raises(VerificationError):
        check_tree(stored, start)


WRONG = {
    "jibed BBBBY1 dumpy GGGGG2\n       BBYBB1 bumpy GGGGG2": r"line 2: 'BBYBB1' stands below no",
    "jibed BBBBY1 dumpy GGGGG2\n\n\tBBYBB1 bumpy GGGGG2": r"line 3: a tab stands in a blank column",
    "jibed BBBBY1 dumpy GGGGG2\nBBYBB1 bumpy GGGGG2": r"line 2: begins with the feedback 'BBYBB1'",
    "jibed BBBBY1 dumpy GGGGG2\n      BBYBB2 bumpy GGGGG3": r"line 2: 'BBYBB2' should be a pattern",
    "jibed BBBBY1 dumpy GGGGG2\n                   GGGGG2\n      BBYBB1 bumpi GGGGG2":
        r"line 3: 'bumpi' is not one of the 5 words",
    "jibed BBBBY dumpy\njibed BBBY bumpy": r"line 2: 'BBBY' is no feedback.* to hold paths",
    "jibed,BBBBY,dumpy\njibed,BBYBB,bumpi": r"line 2: 'bumpi' is not one of .* to hold paths",
    "jibed,BBBBY,dumpy\njibed,BBYBB": r"line 2: the last pattern is not GGGGG",
    "jibed,BBBBY,dumpy\ntares,BBYBB,bumpy": r"line 2: turn 1 guesses 'tares' where another",
    ",jibed\nBBBBY,dumpy\nBBBBY,bumpy": r"line 3: a second guess after BBBBY; keep one",
    "BBBBY,dumpy\nBBYBB,bumpy": r"no entry gives the first guess",
    ",jibed\nBBBBY,BGGGG,dumpy": r"no entry gives the guess after BBBBY, but one gives that after",
    ",jibed\nBBBBY,dumpy\nBBYBB,": r"line 3: no guess follows BBYBB",
    ",jibed\nBBBBY,dumpy\nBBBBY,GGGGG,bumpy": r"line 3: GGGGG after DUMPY leads to BUMPY",
    ",jibed\nGGGGG,BBBBY,bumpy": r"line 2: goes on after GGGGG",
    ",jibed\nGBBBB,jumpy\nBBYBB,tares,dumpy": r"line 3: 'tares' is no feedback.* a table",
    "jibed,tares\njibed,bumpy": r"line 1: ends in 'tares', which is none of the 3 answers",
    "jibed,bumpy,bumpy": r"line 1: goes on after its answer",
    'jibed,"bumpy': r"line 1: no CSV",
    "guess1,feedback1\n": r"the tree is empty",
    '{"guess":"jibed","map":{"00001":7}}': r"not a tree in JSON form: 7 is no node",
    '{"guess":"jibed","map":{"00001":"dumpy","BBBBY":"bumpy"}}': r"two guesses for .* BBBBY",
    '{"guess":"jibed","map":{"22222":"bumpy"}}': r"GGGGG after JIBED leads to BUMPY",
    '{"guess":"jibed","map":{"0001":"bumpy"}}': r"after JIBED: pattern '0001' has 4 colours",
    '{"":"jibed","BBBB":"bumpy"}': r"key 'BBBB': pattern 'BBBB' has 4 colours",
    '{"":"jibed","B":"bumpi"}': r"pattern 'B' has 1 colour",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
@pytest.mark.parametrize("suffix", [".txt", ".csv"])
def test_what_is_broken_is_named(tmp_path, game, text, suffix):
    with pytest.raises(UserError, match=WRONG[text]) as caught:
        read(tmp_path / f"t{suffix}", text, game)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}")


AMBIGUOUS = {
    "jibed,bbbbw,dumpy\njibed,bbwbb,bumpy": "'bbbbw' can be read in two ways: W as grey",
    "jibed,bbbbo,dumpy\njibed,bbybb,bumpy": "O as yellow",
}


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_what_has_two_readings_is_refused(tmp_path, game, text):
    with pytest.raises(AmbiguousError, match=AMBIGUOUS[text]):
        read(tmp_path / "t.csv", text, game)


def test_rows_of_words_that_look_like_feedback_need_headings(tmp_path):
    words = make_words(["byg", "ygb", "gby"], ["byg", "ygb", "gby"])
    game = game_of(words)
    rows = "byg,gby\nbyg,byg\n"
    with pytest.raises(AmbiguousError, match="in two ways, as .* or as .*begin with a row of head"):
        read(tmp_path / "t.csv", rows, game)
    stored, _ = read(tmp_path / "t.csv", f"guess1,guess2\n{rows.splitlines()[0]}\n", game)
    assert stored.form == tree_forms.GUESS_LISTS


def test_o_is_yellow_where_the_file_makes_it_clear(tmp_path, game):
    text = "jibed,xxxxo,dumpy,ggggg\njibed,xxoxx,bumpy,ggggg\njibed,gxxxx,jumpy,ggggg\n"
    assert read(tmp_path / "t.csv", text, game)[0].tree == DecisionTree.from_text(FILLED, WORDS)


def test_games_without_colours_have_the_same_forms(tmp_path):
    game = mastermind(2, 3)
    seen = np.unique(game.patterns.values[:, 0])[:-1].tolist()
    after = [int(game.part(game.root(), 0, pattern)[0]) for pattern in seen]
    guess, parent = np.array([0, *after], np.int32), np.array([-1, *[0] * len(seen)], np.int32)
    tree = DecisionTree(guess, parent, np.array([0, *seen], np.uint16))
    for suffix in (".map.json", ".table.json", ".csv", ".json", ".js"):
        (tmp_path / f"t{suffix}").write_text(WRITERS[suffix](tree, game.start()))
        assert store.load_tree(tmp_path / f"t{suffix}", game).tree == tree, suffix


def test_a_map_tells_where_the_guess_is_the_answer(game):
    tree = DecisionTree.from_text("bumpy GGGGG1\nbumpy BGGGG1 dumpy GGGGG2", WORDS)
    said = json.loads(WRITERS[".map.json"](tree, game.start()))
    assert said == {"guess": "bumpy", "map": {"02222": "dumpy", "22222": "bumpy"}}
