"""Games at the terminal: umpires, advice, what may be typed, pipes and terminals of any width."""

import io
import os
import re
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from gpu_wordle.api.playing import Talk
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.play import Adversary, Board, Honest, Role
from gpu_wordle.game.rule import Rule
from gpu_wordle.report.board import board_lines, keyboard_lines
from gpu_wordle.report.tiles import Look
from support import naive, small_game
from support.naive_rules import IMPOSSIBLE, NaiveRules
from support.small_game import ANSWERS, GUESSES
from support.solver_games import random_game
from support.word_lists import make_game, make_words


@pytest.fixture
def played(run, monkeypatch):
    """Play on the small game with these lines and return what was said."""

    def call(lines, *arguments):
        monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
        return run("play", *arguments, "--threads", 1)

    return call


@settings(max_examples=80)
@given(st.integers(0, 2**32 - 1))
def test_the_adversary_keeps_the_largest_part(seed):
    game = random_game(np.random.default_rng(seed), rule=Rule.NORMAL, lengths=(3, 5))
    position, left = game.start(), list(game.words.answers.words)
    for guess, word in list(enumerate(game.words.guesses.words))[:3]:
        parts = {}
        for answer in left:
            parts.setdefault(naive.feedback(word, answer), []).append(answer)

        def rank(colours, parts=parts, word=word):
            least_said = (
                colours.count("G"),
                colours.count("Y"),
                naive.pattern(word, parts[colours][0]),
            )
            return (-len(parts[colours]), set(colours) == {"G"}, *least_said)

        chosen = min(parts, key=rank)
        pattern = Adversary().pattern(position, guess)
        assert game.words.feedback.format(pattern) == chosen
        if set(chosen) == {"G"}:
            break
        position, left = position.after(guess, pattern), parts[chosen]


def test_a_board_is_taken_back_turn_by_turn():
    game = random_game(np.random.default_rng(3), rule=Rule.NORMAL, lengths=(3, 4))
    answer = len(game.words.answers) - 1
    own = int(game.words.guess_of_answer[answer])
    board, umpire = Board(game.start()), Honest(answer)
    states = [board.position.state]
    others = [g for g in range(game.guess_count) if g != own][:2]
    for guess in others:
        board.play(guess, umpire.pattern(board.position, guess))
        states.append(board.position.state)
    board.play(own, umpire.pattern(board.position, own))
    assert (board.is_solved, board.is_over, board.is_lost) == (True, True, False)
    for state in reversed(states):
        board.undo()
        assert np.array_equal(board.position.state, state)
    with pytest.raises(UserError, match="no turn to take back"):
        board.undo()


def test_the_umpire_answers_and_tells_what_is_known(played):
    said = played(["chf", "zzz", "/undo", "rat", "/left", "cat"], "--answer", "cat")
    assert "[C] H  F " in said
    assert "'zzz' is not one of" in said
    assert " R [A][T]" in said
    assert "bat cat fat hat mat pat sat" in said
    assert "Solved in 2." in said


def test_a_drawn_answer_is_that_of_its_seed(played):
    ends = {
        played(["rat"] * 6, "--seed", seed, "--max-guesses", 2).split()[-1] for seed in range(9)
    }
    assert len(ends) > 2
    assert played(["chf"], "--seed", 5) == played(["chf"], "--seed", 5)


def test_the_adversary_is_found_out_in_the_end(played):
    said = played(["cat", "bat", "fat"], "--adversary", "--max-guesses", 3)
    assert "7 left" in said
    assert "Not solved in 3: could have been HAT." in said


@pytest.mark.parametrize("rule", ["normal", "hard"])
def test_the_player_plays_best(played, rule):
    """Over all answers, the games add up to the value of the start."""
    oracle = NaiveRules(GUESSES, rule)
    best = oracle.value(tuple(ANSWERS), frozenset(GUESSES), 6)
    assert best < IMPOSSIBLE
    total = 0
    for answer in ANSWERS:
        said = played([], "--role", "player", "--answer", answer, "--rule", rule)
        (end,) = [line for line in said.splitlines() if line.startswith("Solved in")]
        total += int(end.split()[2].rstrip("."))
    assert total == best


def test_the_adviser_goes_by_a_game_that_is_played_elsewhere(played):
    said = played(["⬛⬛⬛", "/hint", "rat BGG", "cat -GG"], "--role", "adviser")
    first = next(line for line in said.splitlines() if line.startswith("guess "))
    assert first == "guess BFC"
    assert "as good" in said or "guess" in said
    said = played(["rat"], "--role", "adviser")
    assert "give the colours of RAT too" in said
    for line in ("rat BGG", "rat", "xx", "BGGG"):
        said = " ".join(played([line, "BBB"], "--role", "player").split())
        assert "The machine guesses here; give the colours of its guess alone" in said


GRID = ["Wordle 1,234 3/6", "", "⬛🟩🟩", "🟩⬛⬛"]


def test_the_adviser_asks_for_the_words_of_a_pasted_grid(played):
    """Line by line, as a terminal gets it; a row is no answer to what was named."""
    adviser = ["--role", "adviser"]
    said = played([*GRID, "rat", "rat chf", "🟩🟩🟩"], *adviser)
    text = " ".join(said.split())
    assert text.count("then type the words that were guessed in one line") == 3
    assert "1 word for 2 rows of colours; type all the words in one line" in text
    assert " R [A][T] 7 left\n[C] H  F  1 left\n1 answer left: cat\nguess CAT" in said
    assert "Solved in 3." in said
    assert " R [A][T] 7 left\n[C] H  F  1 left" in played(["BGG GBB", "rat chf"], *adviser)
    for asked in (GRID[:1], ["BGG GBB"]):
        assert "give the colours of its guess alone" in played(asked, "--role", "player")


def test_the_adviser_lists_what_it_ignores(played):
    said = played(["Puzzle 5 3/6", "rat BGG", "rat, my first: BGG", "/quit"], "--role", "adviser")
    assert "ignored: 'Puzzle 5 3/6'" in said


def test_turns_are_taken_all_or_none(played):
    said = played(["rat BGG chf BGG", "/undo", "cat GGG hat GGG", "/undo"], "--role", "adviser")
    assert "no answer of answers.txt is left after CHF BGG" in said
    assert "the game was over before; leave out what comes after" in said
    assert said.count("no turn to take back") == 2


def test_the_adviser_says_that_a_guess_was_illegal(played):
    said = played(["rat BGG", "chf BBB"], "--role", "adviser", "--rule", "hard")
    assert "CHF is illegal under the hard rule" in said
    assert "it is taken all the same" in " ".join(said.split())
    assert "[A][T] 7 left\n C  H  F  4 left" in said


def test_the_list_shrinks_before_ones_eyes():
    words = ["".join(letters) for letters in product("ab", repeat=4)]
    game = make_game(make_words(words, words))
    with Talk(game.start(), Role.ADVISER, None, Look.MARKS) as talk:
        said = [str(line) for line in (*talk.begin(), *talk.hear("aaaa GBBB"), *talk.hear("/undo"))]
    assert said[0] == "Type a guess and its colours, as in aaaa BBBB, the colours alone, or /help."
    assert said.count(f"16 answers left: {' '.join(words[:12])} and 4 more") == 2
    assert "1 answer left: abbb" in said
    with Talk(game.start(), Role.UMPIRE, Honest(1), Look.MARKS) as talk:
        assert next(talk.begin()) == "16 answers left; guesses: 6"


def test_what_is_said_of_a_guess_is_so(played):
    lines = ["/explain rat", "/sure rat", "/sure cat", "/explain", "/help", "/dance", "/undo"]
    said = played(lines, "--answer", "cat", "--max-guesses", 4)
    oracle = NaiveRules(GUESSES, "normal")
    everything = tuple(ANSWERS), frozenset(GUESSES)
    own, best = oracle.guess_value(*everything, "rat", 4), oracle.value(*everything, 4)
    assert "RAT can be the answer." in said
    assert f"It makes {len(naive.partition('rat', ANSWERS))} groups" in said
    assert f"It takes {own / 10:.3f} guesses on average." in said
    assert f"That is {(own - best) / 10:.3f} more than the best." in said
    assert "RAT is a guaranteed win" in said
    assert oracle.guess_value(*everything, "cat", 4) == IMPOSSIBLE
    assert "CAT is not a guaranteed win" in said
    assert "BFC cannot be the answer." in said
    assert "/explain WORD" in said
    assert "no command '/dance'; there are /hint" in said
    assert "no turn to take back" in said
    assert played(["/quit", "cat"], "--answer", "cat").count("\n") == 2


def test_an_umpire_needs_no_values(played):
    said = played(["rat", "/hint", "cat"], "--answer", "cat", "--objective", "worst")
    assert "the value under worst is no sum of guesses" in said
    assert "Solved in 2." in said


def test_hard_mode_says_why_a_guess_is_illegal(played):
    said = played(["rat", "chf", "cat"], "--answer", "cat", "--rule", "hard")
    assert "CHF is illegal under the hard rule" in said
    assert "Solved in 2." in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--answer", "zzz"], "'zzz' is not one of the 10 words"),
        (["--adversary", "--answer", "cat"], "an adversary has no word in mind"),
        (["--objective", "worst", "--role", "player", "--answer", "cat"], "choose mean"),
        (["--objective", "worst", "--role", "adviser"], "choose mean"),
        (["--answer", "cat", "--role", "adviser"], "leave out --answer and --adversary"),
        (["--state", "rat BG"], "has 2 colours"),
        (["--state", "rat BGG", "--answer", "bit"], "BIT cannot be the answer after RAT BGG"),
    ],
)
def test_bad_input_is_told_in_a_line(played, arguments, message):
    with pytest.raises(UserError, match=message):
        played([], *arguments)


def test_the_word_that_is_drawn_is_possible(played):
    for seed in range(6):  # of ten answers, BIT and FIT are left
        said = played(["bit", "fit"], "--state", "rat BBG", "--seed", seed)
        assert said.startswith("2 answers left: bit fit; guesses: 5")
        assert "Solved in" in said


def test_a_game_goes_on_from_a_state(played):
    said = played(["cat"], "--state", "rat BGG", "--answer", "cat")
    assert said.startswith("7 answers left")
    assert "Solved in 2." in said


def test_every_look_says_the_same():
    game = random_game(np.random.default_rng(3), rule=Rule.NORMAL, lengths=(5, 5))
    board = Board(game.start())
    board.play(0, Honest(0).pattern(board.position, 0))
    told = {}
    for look in (Look.COLOURS, Look.CONTRAST, Look.MARKS):
        lines = [*board_lines(board, look), *keyboard_lines(board, look)]
        assert max(line.cell_len for line in lines) <= 40
        told[look] = [line.plain for line in lines]
        styled = Console(
            width=40, force_terminal=True, color_system="truecolor", file=io.StringIO()
        )
        styled.print(*lines)
        assert ("48;2;" in styled.file.getvalue()) == (look is not Look.MARKS)
    letters = [[c for c in "".join(lines) if c.isalpha()] for lines in told.values()]
    assert letters[0] == letters[1]
    assert set(letters[2]) <= set(letters[0])


# On a terminal


@pytest.fixture
def terminal(tmp_path):
    """Start a game on a pseudo-terminal of 40 columns."""
    pexpect = pytest.importorskip("pexpect")
    small_game.write(tmp_path)
    lists = [*small_game.LISTS, "--quiet"]
    started = []

    def start(*arguments, kind="xterm-256color"):
        child = pexpect.spawn(
            sys.executable,
            ["-m", "gpu_wordle", "play", *lists, *arguments],
            cwd=str(tmp_path), dimensions=(24, 40), encoding="utf-8", timeout=30,
            env=os.environ | {"TERM": kind},
        )  # fmt: skip
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def test_a_game_on_a_terminal_is_in_colours(terminal):
    child = terminal("--answer", "cat")
    child.expect("> ")
    child.sendline("rat")
    child.expect("7 left")
    assert re.search(r"\x1b\[[\d;]*48;", child.before)  # tiles are coloured
    child.expect("> ")
    child.sendline("cat")
    child.expect("Solved in 2.")
    child.expect_exact("\r\n")
    child.wait()
    assert child.exitstatus == 0


def test_a_terminal_without_colours_gets_marks(terminal):
    child = terminal("--answer", "cat", kind="dumb")
    child.expect("> ")
    child.sendline("rat")
    child.expect_exact(" R [A][T]")


def test_ctrl_c_and_the_end_of_input_end_a_game(terminal):
    child = terminal("--answer", "cat", "--colours", "none")
    child.expect("> ")
    child.sendline("rat")
    child.expect_exact(" R [A][T]")
    child.expect("> ")
    child.sendintr()
    child.expect("interrupted")
    child.wait()
    assert child.exitstatus == 130
    child = terminal("--role", "adviser")
    child.expect("> ")
    child.sendeof()
    child.wait()
    assert child.exitstatus == 0


@pytest.mark.slow
def test_an_adviser_on_a_terminal_of_forty_columns(terminal):
    child = terminal("--role", "adviser", "--colours", "high-contrast", "--max-guesses", "4")
    child.expect("guess BFC")
    for line in ("Wordle 1,234 3/6", "⬛🟩🟩"):
        child.sendline(line)
        child.expect_exact("one line.")
    child.sendline("rat")
    child.expect("7 left")
    child.sendline("/sure cat")
    child.expect("CAT is (not )?a guaranteed win")
    child.sendline("/explain")
    child.expect("groups, the largest")
    child.sendline("/undo")
    child.expect("guess BFC")
    child.sendline("/quit")
    child.wait()
    assert child.exitstatus == 0
