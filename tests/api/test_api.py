"""The public API: words in, words out, and one line for what is wrong."""

import subprocess
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from rich.console import Console

import gpu_wordle as gw
from gpu_wordle import store
from gpu_wordle.files import held
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.openers import Openers
from support import ROOT
from support.solving import solve
from support.word_lists import make_game, make_words

WORDS = ["crane", "slate", "trace", "react", "stale", "least", "steal", "cater", "caret", "crate"]


@pytest.fixture(scope="module")
def small(_private_cache):
    return gw.load_game(WORDS, max_guesses=4)


@pytest.fixture(scope="module")
def middle(_private_cache):
    """A game that takes some seconds to rank."""
    original = gw.load_game("original")
    return gw.load_game(original.guesses[::10], original.guesses[::40])


@pytest.mark.slow
def test_the_example_of_the_package():
    game = gw.load_game("original", rule="hard")
    position = game.after("salet BYBBG")
    result = gw.solve(position)
    assert (result.mean, result.worst, result.best) == (48 / 20, 3, "craft")
    assert result.distribution == (1, 10, 9)
    assert result.tree["bbgbg"].guess == "adapt"
    assert gw.solve(game.after("salet BYBBG"), "draft").is_exact
    published = gw.published("original", "hard")
    assert (published.best, published["SALET"]["total"]) == ("salet", 8122)
    assert published.position.game.rule == "hard"
    assert published.head(1)[0]["distribution"] == [0, 130, 1061, 957, 151, 16]
    assert len(list(published)) == len(published) == 12972


def test_lists_names_and_files_are_the_same_game(tmp_path, small):
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    (tmp_path / "w.csv").write_text("".join(f"{word},{i + 1}.5\n" for i, word in enumerate(WORDS)))
    numbers = (
        lambda i: i + 1.5,
        lambda i: Decimal(2 * i + 3) / 2,
        lambda i: Fraction(2 * i + 3, 2),
    )
    totals = {gw.solve(small, word).total for word in ("crane", "CRANE ")}
    totals.add(gw.solve(gw.load_game(tmp_path / "words.txt", max_guesses=4), "crane").total)
    assert len(totals) == 1
    weighed = {gw.solve(gw.load_game(WORDS, weights=tmp_path / "w.csv")).total}
    for number in numbers:
        mapping = {word: number(i) for i, word in enumerate(WORDS)}
        weighed.add(gw.solve(gw.load_game(WORDS, weights=mapping)).total)
    assert len(weighed) == 1


def test_other_games():
    game = gw.load_game("mastermind:3x3", rule="Candidates")
    assert gw.solve(game).tree["0B0W"].depth == 2
    assert game.feedback("112", "121") == "1B2W"
    matrix = [[1, 0, 0], [0, 1, 0], [0, 2, 1]]
    own = gw.Game.from_feedback(["a", "b", "c"], ["x", "y", "z"], matrix, 1, max_guesses=0)
    assert own.max_guesses is None
    assert gw.solve(own).best == "c"
    assert own.start.guesses_left is None


def test_positions_hold_words(small):
    position = small.after("crane 00202")
    assert position.history == "crane BBGBG"
    with pytest.raises(gw.UserError, match="no answer"):
        position.after("crane GGBBB")
    assert set(position.answers) == set(position) == {"slate", "stale"}
    assert (position.turns, position.guesses_left) == ((("crane", "BBGBG"),), 3)
    (seen,) = (f for f, words in position.parts("slate").items() if words == ("stale",))
    assert position.after(f"slate {seen}").history == f"crane BBGBG slate {seen}"
    assert position.legal_guesses == small.guesses
    parts = position.parts("slate")
    assert sum(map(len, parts.values())) == len(position)
    assert parts["GGGGG"] == ("slate",)


def test_trees_can_be_walked(small):
    tree = gw.solve(small).tree
    nodes = list(tree)
    assert len(nodes) == len(tree) == len({(n.guess, n.depth, n.answers) for n in nodes})
    assert max(node.depth for node in nodes) == tree.height
    assert (tree.pattern, tree.depth, tree.answers) == ("", 1, tuple(WORDS))
    for feedback, child in tree.children.items():
        assert feedback in tree
        assert tree[feedback].guess == child.guess
        assert (child.pattern, child.depth) == (feedback, 2)
        assert len(child) == len(list(child))
    for answer in WORDS:
        played = tree.play(answer)
        assert played[-1] == (answer, "GGGGG")
        assert len(played) <= tree.height


def test_a_tree_below_another_is_a_strategy_of_its_own(tmp_path, small):
    tree = gw.solve(small).tree
    for name in ("t.txt", "t.json", "t.h5"):
        tree.save(tmp_path / name)
        assert gw.verify_file(tmp_path / name, small)["answers"] == len(WORDS)
        for feedback, child in tree.children.items():
            child.save(tmp_path / name)
            position = small.after(f"{tree.guess} {feedback}")
            assert set(position.answers) == set(child.answers)
            facts = gw.verify_file(tmp_path / name, position)
            assert (facts["answers"], facts["worst"]) == (len(child.answers), child.height)


def test_proof_guarantee_and_ranking_agree(small):
    proof = gw.prove(small)
    ranking = gw.rank(small, exact="all")
    best = [row["opener"] for row in ranking if row["total"] == proof.total]
    assert proof.is_complete
    assert set(proof.best) == set(best)
    assert ranking.best in best
    assert (ranking.solved, ranking.ended, proof.ended) == (len(WORDS), None, None)
    assert sum(proof.counts.values()) == len(proof.each()) == len(WORDS)
    assert gw.guarantee(small, proof.best[0]) is True
    tight = gw.load_game(WORDS, max_guesses=2)
    assert gw.guarantee(tight, "crane") is not gw.solve(tight, "crane").is_infeasible


def test_a_ranking_solves_just_the_words_named(small):
    ranking = gw.rank(small, exact=["crane", "steal"])
    assert {row["opener"] for row in ranking if row["status"] == "exact"} == {"crane", "steal"}
    unsolved = gw.rank(small, exact=0)
    assert (unsolved.solved, unsolved["crane"]["total"]) == (0, None)
    entropies = [row["entropy_bits"] for row in unsolved]
    assert entropies == sorted(entropies, reverse=True)


def test_a_ranking_holds_the_rows_asked_for_in_their_order(small):
    whole = gw.rank(small, exact=0, by="parts")
    parts = [row["parts"] for row in whole]
    assert (len(whole), parts) == (len(WORDS), sorted(parts, reverse=True))
    game = gw.load_game(WORDS, WORDS[:5])
    some = gw.rank(game, exact=1, by="opener", without="C", answers_only=True)
    assert [row["opener"] for row in some] == ["slate", "stale"]
    assert (some.best, len(some), "stale" in some, "steal" in some) == ("slate", 2, True, False)
    assert some["stale"] == some.head()[1]
    assert [row["opener"] for row in gw.rank(game, by="opener", top=1)] == ["caret"]
    none = gw.rank(small, exact=0, without="abcdefghijklmnopqrstuvwxyz")
    assert (len(none), none.solved, "crane" in none, none.head()) == (0, 0, False, [])
    assert repr(none).startswith("Ranking(0 guesses: ")
    assert "0 guesses, by entropy" in none._repr_html_()
    for ask in (lambda: none.best, lambda: none["crane"]):
        with pytest.raises(gw.UserError, match="ranking"):
            ask()


def test_a_ranking_goes_on_from_its_file(tmp_path, middle):
    out, heard = tmp_path / "openers.h5", []
    first = gw.rank(middle, exact=10, out=out, progress=heard.append)
    assert first.solved == 10
    assert [event.done for event in heard] == list(range(11))
    assert {(event.phase, event.total) for event in heard} == {("solving", 10)}
    assert heard[-1].best[0][0] in middle.guesses
    heard.clear()
    gw.rank(middle, exact=12, out=out, progress=heard.append)
    assert [event.done for event in heard] == [10, 11, 12]
    again = gw.open_results(out)
    assert again.solved == 12
    assert [row["opener"] for row in again.head(3)] == [row["opener"] for row in again][:3]
    with pytest.raises(gw.UserError, match="made with max_guesses 6, this job has 5"):
        gw.rank(gw.load_game(middle.guesses, middle.answers, max_guesses=5), exact=1, out=out)
    assert gw.verify_file(out, sample=3)["solved_again"] == 3
    assert gw.rank(middle, exact=1, out=out, fresh=True).solved == 1


@pytest.mark.slow
def test_a_time_limit_keeps_what_was_proved(tmp_path, middle):
    started = time.monotonic()
    ranking = gw.rank(middle, exact="all", out=tmp_path / "x.h5", time_limit=0.2)
    assert time.monotonic() - started < 30
    assert ranking.ended == "time limit"
    assert ranking.solved < len(ranking)
    kept = gw.open_results(tmp_path / "x.h5")
    assert kept.solved == ranking.solved
    proof = gw.prove(gw.load_game("nyt-2023"), time_limit=0.5)
    assert (proof.is_complete, proof.ended) == (False, "time limit")


def test_another_thread_can_stop_a_job(tmp_path, middle):
    stop = threading.Event()

    def heard(event):
        if event.done >= 5:
            stop.set()

    ranking = gw.rank(middle, exact="all", out=tmp_path / "x.h5", progress=heard, stop=stop)
    assert ranking.ended == "stopped"
    assert 5 <= ranking.solved < len(ranking)
    assert gw.open_results(tmp_path / "x.h5").solved == ranking.solved
    assert not gw.solve(gw.load_game("nyt-2023"), "soare", stop=stop).is_exact


def test_jobs_run_in_any_thread(small):
    found = []
    thread = threading.Thread(target=lambda: found.append(gw.rank(small, exact=2).solved))
    thread.start()
    thread.join()
    assert found == [2]


@pytest.mark.slow
def test_an_interrupt_saves_first_and_then_is_raised(tmp_path):
    program = (
        "import os, signal, gpu_wordle as gw\n"
        "game = gw.load_game('original')\n"
        "asked = []\n"
        "def heard(event):\n"
        "    if event.done == 5 and not asked:\n"
        "        asked.append(1)\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "try:\n"
        "    gw.rank(game, exact=400, out='x.h5', progress=heard)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', gw.open_results('x.h5').solved)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    said, solved = run.stdout.split()
    assert said == "interrupted"
    assert 5 <= int(solved) < 400


def test_a_table_of_pandas(small):
    pandas = pytest.importorskip("pandas")
    table = gw.rank(small, exact="all").to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert set(table["opener"]) == set(WORDS)
    assert table["total"].is_monotonic_increasing


def test_without_pandas_that_is_said(small, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gw.UserError, match="needs pandas; pip install pandas"):
        gw.rank(small, exact=1).to_pandas()


def test_a_ranking_as_csv(tmp_path, small):
    ranking = gw.rank(small, exact="all")
    ranking.to_csv(tmp_path / "r.csv")
    lines = (tmp_path / "r.csv").read_text().splitlines()
    assert len(lines) == len(WORDS) + 1
    assert lines[1].startswith(ranking.best)


@pytest.mark.parametrize("max_guesses", [4, 2])
def test_everything_is_one_line_and_can_be_shown(small, max_guesses):
    game = gw.load_game(WORDS, max_guesses=max_guesses)
    weighed = gw.load_game(WORDS, weights=dict.fromkeys(WORDS, 2))
    result, ranking = gw.solve(game, "crane"), gw.rank(game, exact="all")
    position, proof = game.after("crane BBYBY"), gw.prove(game)
    shown = [
        game,
        weighed,
        position,
        result,
        ranking,
        proof,
        *(result.tree if result.has_tree else ()),
    ]
    for thing in shown:
        assert len(repr(thing)) < 200
        assert "\n" not in repr(thing)
    console = Console(width=100, record=True)
    for thing in (result, ranking, proof):
        console.print(thing)
    assert "crane" in console.export_text().lower()
    for thing in (result, ranking):
        assert "<table>" in thing._repr_html_()


def test_what_is_inside_is_one_line_too():
    words = make_words(WORDS, WORDS)
    weights = Weights((2,) * len(WORDS))
    game = make_game(words, objective=Objective(weights=weights))
    solved = solve(game.start())
    openers = Openers.unsolved(np.zeros(len(WORDS), np.int64), 6)
    for thing in (
        *(game, game.start(), words, words.guesses, game.patterns, weights, game.objective),
        *(game.prices, solved, solved.tree, openers),
    ):
        assert len(repr(thing)) < 200
        assert "\n" not in repr(thing)


def test_the_reprs_of_the_original_game_are_short(original):
    game = gw.load_game("original")
    for thing in (game, game.start, original, original.words, original.start()):
        assert len(repr(thing)) < 200


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda g: gw.load_game(rule="soft"), "rule='soft': give one of normal"),
        (lambda g: gw.load_game(rule=3), "rule=3: give one of"),
        (lambda g: gw.load_game(objective="fast"), "objective 'fast': give mean"),
        (lambda g: gw.load_game(objective=7), "objective=7: give its name"),
        (lambda g: gw.load_game(max_guesses="6"), "max_guesses='6': give a whole number"),
        (lambda g: gw.load_game("nowhere.txt"), "nowhere.txt: no such file"),
        (lambda g: gw.load_game(5), "guesses=5: give a named list, a file or a list of words"),
        (lambda g: gw.load_game(["crane", 5]), "5 does not fit; give a named list"),
        (lambda g: gw.load_game(["crane", "sl ate"]), "'sl ate' is not one word"),
        (lambda g: gw.load_game([]), "the list is empty"),
        (lambda g: gw.load_game(["crane"], ["slate"]), "the answer 'slate' is not a guess"),
        (lambda g: gw.load_game(WORDS, weights=3), "weights=3: give a mapping of words"),
        (lambda g: gw.load_game(WORDS, weights={"crane": 1}), "no weight for 'slate' and 8 more"),
        (lambda g: gw.load_game(WORDS, weights={"xxxxx": 1}), "none of the 10 answers"),
        (lambda g: gw.load_game(WORDS, weights={"crane": -1}), "is negative"),
        (lambda g: gw.load_game(WORDS, weights={"crane": "many"}), "'many' is no number"),
        (lambda g: gw.load_game("mastermind:3x3", rule="hard"), "is about letters"),
        (lambda g: g.after(5), "history=5: give text"),
        (lambda g: g.after("crane"), "give a word and its pattern in turn"),
        (lambda g: g.after("crane BBBBQ"), "'Q' is no colour"),
        (lambda g: g.after("crane GGGGG"), "CRANE was the answer, so the game is over"),
        (lambda g: g.feedback("crane", "zzzzz"), "'zzzzz' is not one of"),
        (lambda g: g.feedback(None, "crane"), "guess=None: give a word"),
        (lambda g: gw.solve("crane"), "position='crane': give a Game or a Position"),
        (lambda g: gw.solve(g, 3), "guess=3: give a word"),
        (lambda g: gw.solve(g, "zzzzz"), "'zzzzz' is not one of"),
        (lambda g: gw.solve(g, "crane", budget=-1), "budget=-1: give a whole number"),
        (
            lambda g: gw.solve(g, "crane", time_limit=0),
            "time_limit=0: give a time above 0, such as 90",
        ),
        (
            lambda g: gw.solve(g, "crane", time_limit="soon"),
            "time_limit='soon': give a time above 0, such as 90",
        ),
        (lambda g: gw.solve(g, "crane", threads=0), "threads=0: give a whole number"),
        (lambda g: gw.solve(g, "crane", backend="gpu"), "backend='gpu': give one of"),
        (lambda g: gw.solve(g, "crane").tree["GGGGG"], "that finds the answer"),
        (lambda g: gw.solve(g, "crane").tree["GGBGG"], "no answer gives that"),
        (
            lambda g: gw.solve(g, "crane").tree[0],
            "0 numbers a pattern in one of two ways; write BBBBB",
        ),
        (lambda g: gw.solve(g, "crane").tree[None], "give feedback, as text or as a number"),
        (lambda g: gw.solve(g, "crane").tree.play("zzzzz"), "'zzzzz' is not one of"),
        (lambda g: gw.solve(g, "crane").tree.save("x.doc"), "ends in .txt, .json, .h5"),
        (lambda g: gw.rank(g, exact="most"), "give a whole number of guesses from 0 on, 'all'"),
        (lambda g: gw.rank(g, exact=["zzzzz"]), "'zzzzz' is not one of"),
        (lambda g: gw.rank(g, exact=1.5), "exact=1.5: give a whole number"),
        (lambda g: gw.rank(g, exact=0)["zzzzz"], "'zzzzz' is not one of the 10 guesses"),
        (lambda g: gw.rank(g, exact=0)[0], "0 is not one of the 10 guesses"),
        (lambda g: gw.open_results("nowhere.h5"), "nowhere.h5: no such file"),
        (lambda g: gw.published("nyt-2023", "hard"), "there are original \\(normal\\)"),
        (lambda g: gw.verify_file("nowhere.txt"), "nowhere.txt: no such file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(small, ask, message):
    with pytest.raises(gw.UserError, match=message) as caught:
        ask(small)
    assert "\n" not in str(caught.value)


def test_several_guesses_are_solved_each_by_itself(small):
    both = gw.solve(small, ["crane", "slate"], fixed=False)
    alone = [gw.solve(small, word) for word in ("crane", "slate")]
    assert (len(both), [each.total for each in both]) == (2, [each.total for each in alone])
    assert [row["opener"] for row in both.rows] == ["crane", "slate"]
    assert repr(both) == "Result(2 guesses)"
    for name in ("total", "tree", "is_exact"):
        with pytest.raises(gw.UserError, match="2 guesses were solved; choose one, as in"):
            getattr(both, name)
    stop = threading.Event()
    stop.set()
    late = gw.solve(gw.load_game("nyt-2023"), ["salet", "soare"], fixed=False, stop=stop)
    assert [each.is_exact for each in late] == [False, False]


def test_what_was_solved_is_written_and_verified(tmp_path):
    game = gw.load_game(WORDS, max_guesses=0)
    tree, proof = tmp_path / "t.h5", tmp_path / "c.txt"
    phases = []
    solved = gw.solve(
        game, "crane", tree=tree, certificate=proof, progress=lambda p: phases.append(p.phase)
    )
    assert "solving" in phases
    assert gw.verify_file(tree)["total"] == solved.total
    assert gw.verify_file(proof, game)["value"] == solved.total
    with pytest.raises(gw.UserError, match="give its position"):
        gw.verify_file(proof)
    with pytest.raises(gw.UserError, match="made with max_guesses 0, not 6"):
        gw.verify_file(proof, gw.load_game(WORDS))
    for wrong, said in (
        ({"guess": ["crane", "slate"], "fixed": False, "tree": tree}, "a tree holds one strategy"),
        ({"guess": ["crane"]}, "one after the other; name two or more, or give 'crane' alone"),
        ({"certificate": proof}, "a certificate is for one opener"),
        ({"tree": tmp_path / "t.doc"}, "ends in .txt, .json, .h5"),
    ):
        with pytest.raises(gw.UserError, match=said):
            gw.solve(game, **wrong)


def test_what_is_not_known_is_said():
    tight = gw.solve(gw.load_game(WORDS, max_guesses=1), "crane")
    assert tight.is_infeasible
    assert not tight.has_tree
    for name in ("tree", "mean", "total", "worst", "distribution"):
        with pytest.raises(gw.UserError, match=f"no {name}: after CRANE no strategy finds every"):
            getattr(tight, name)
    assert tight.solvable == 1
    short = gw.solve(gw.load_game("nyt-2023"), "qajaq", budget=1)
    assert (short.is_exact, short.upper) == (False, None)
    assert short.lower > 0
    with pytest.raises(gw.UserError, match="no tree: the search for QAJAQ ended early"):
        _ = short.tree
    late = gw.load_game(WORDS, max_guesses=1).after("crane BBYBY")
    with pytest.raises(gw.UserError, match="1 guess made, and 1 is allowed"):
        gw.solve(late)
    hard = gw.load_game(WORDS, rule="hard").after("crane BBGBG")
    assert "steal" not in hard.legal_guesses
    with pytest.raises(gw.UserError, match="STEAL is illegal under the hard rule"):
        gw.solve(hard, "steal")


class MostParts:
    """A rule of a user's own."""

    name, recalls_turns = "most-parts", False

    def choose(self, positions):
        stats = positions.statistics()
        return (2 * stats.parts + stats.is_candidate).argmax(axis=1)


def test_strategies_are_simulated(tmp_path, middle):
    out, heard = tmp_path / "games.h5", []
    mine = MostParts()
    chosen = middle.guesses[::40]
    games = gw.simulate(
        middle, [mine, "parts"], chosen, survivors=1, out=out, progress=heard.append
    )
    assert games.strategies == ("most-parts", "parts")
    assert len(games) == 2 * len(chosen) == heard[-1].total == heard[-1].done
    rows = list(games)
    assert rows == games.head(len(games))
    assert games.best == rows[0]["opener"]
    assert [row["total"] for row in rows] == sorted(row["total"] for row in rows)
    for row in rows:
        name, opener = row["strategy"], row["opener"]
        assert games[name, opener] == row
        assert games["parts", opener]["total"] == games["most-parts", opener]["total"]
        turns = games.turns(name, opener)
        assert sum(turns.values()) == row["total"]
    tree = games.tree("most-parts", games.best)
    assert {a: len(tree.play(a)) for a in middle.answers} == games.turns("most-parts", games.best)
    read = gw.open_results(out)
    assert list(read) == rows
    assert read.turns("parts", games.best) == games.turns("parts", games.best)
    assert str(read) == str(games)
    games.to_csv(tmp_path / "games.csv")
    assert (tmp_path / "games.csv").read_text().count("\n") == len(games) + 1
    with pytest.raises(gw.UserError, match="a file of games holds no trees"):
        read.tree("parts", games.best)


def test_simulations_from_fixed_words_leave_trees(tmp_path, small):
    two = " ".join(small.guesses[:2])
    games = gw.simulate(small, "parts", two, trees=tmp_path / "trees")
    (strategy,) = games.strategies
    assert strategy == f"opening:{two.replace(' ', '+')}:parts"
    (path,) = (tmp_path / "trees").iterdir()
    assert gw.verify_file(path)["total"] == games[strategy, small.guesses[0]]["total"]
    with pytest.raises(
        gw.UserError, match="openers of several words need strategies given by name"
    ):
        gw.simulate(small, MostParts(), two)


def test_simulations_go_into_pandas(small):
    pytest.importorskip("pandas")
    games = gw.simulate(small, "parts", "all")
    assert games.to_pandas().total.tolist() == [row["total"] for row in games]


def test_a_simulation_has_as_many_rows_as_are_asked_for(small):
    whole, some = (gw.simulate(small, "parts", "all", top=top) for top in (0, 3))
    assert (len(whole), len(some)) == (len(small.guesses), 3)
    assert list(some) == list(whole)[:3]
    assert some["parts", small.guesses[-1]] == whole["parts", small.guesses[-1]]


def test_a_simulation_ends_early(middle):
    stop = threading.Event()
    games = gw.simulate(middle, "parts", "all", stop=stop, progress=lambda event: stop.set())
    assert games.ended == "stopped"
    assert 0 < len(games) < len(middle.guesses)
    nothing = gw.simulate(middle, "parts", stop=stop)
    with pytest.raises(gw.UserError, match="no opener is played yet"):
        _ = nothing.best


def test_the_longest_games_are_given_by_answer(small):
    opener = small.guesses[0]
    games = gw.simulate(small, "parts", opener)
    hard = games.hardest("parts", opener, 4)
    assert [len(made) for made in hard.values()] == sorted(
        (turn for turn in games.turns("parts", opener).values()), reverse=True
    )[:4]
    assert all(made[0] == opener and made[-1] == answer for answer, made in hard.items())


def test_pairs_and_fixed_guesses(tmp_path, small):
    heard = []
    found = gw.pairs(small, prove=True, top=3, out=tmp_path / "p.h5", progress=heard.append)
    assert (len(found), found.is_proven, found.ended) == (3, True, None)
    assert found.pair_count == sum(found.histogram) > 0
    assert {event.phase for event in heard} >= {"counting"}
    best = found[0]
    fixed = gw.solve(small, [best["first"], best["second"]])
    assert (fixed.total, fixed.is_exact) == (best["total"], True)
    assert fixed.tree.guess == best["first"]
    assert fixed.total <= min(row["total"] for row in found)
    assert found.most[0] == found.most[1] == len(np.trim_zeros(found.histogram, "b")) - 1
    three = gw.pairs(small, words=3, by="singles", first=best["first"], top=2)
    assert {row["first"] for row in three} == {best["first"]}
    assert three.most[0] == three[0]["singles"]
    three.to_csv(tmp_path / "three.csv")
    assert (tmp_path / "three.csv").read_text().startswith("first,second,third")
    assert "words=3" in repr(three)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda g: gw.pairs(g.start), "give a Game"),
        (lambda g: gw.pairs(g, words=7), "words=7: give a whole number from 2 to 6"),
        (lambda g: gw.pairs(g, by="length"), "give one of parts, entropy, singles, total"),
        (lambda g: gw.pairs(g, by="singles"), "is for 3 words or more"),
        (lambda g: gw.pairs(g, words=3, prove=True), "is for pairs, not for 3 words"),
        (lambda g: gw.solve(g, g.guesses[:1]), "name two or more"),
        (lambda g: gw.solve(g, [g.guesses[0]] * 2), "is fixed twice"),
    ],
)
def test_openings_that_cannot_be_fixed_are_said_in_one_line(small, ask, message):
    with pytest.raises(gw.UserError, match=message):
        ask(small)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda g: gw.simulate(g, "nonsense"), "no strategy 'nonsense'"),
        (lambda g: gw.simulate(g, []), "no strategy is named"),
        (lambda g: gw.simulate(g, [7]), "7 is no strategy; give a name such as 'entropy'"),
        (lambda g: gw.simulate(g, [MostParts(), MostParts()]), "two strategies are called"),
        (lambda g: gw.simulate(g, "parts", "zzzzz"), "'zzzzz' is not one of"),
        (lambda g: gw.simulate(g, "parts", [3]), "3 does not fit; give words"),
        (lambda g: gw.simulate(g, "parts", ties="none"), "ties='none': give one of words"),
        (
            lambda g: gw.simulate(g, "parts", survivors=9),
            "survivors=9: give a whole number from 1 to 3",
        ),
        (lambda g: gw.simulate(g.start, "parts"), "give a Game"),
        (lambda g: gw.simulate(g, "parts")["parts"], "give strategy and opener, as in"),
        (lambda g: gw.simulate(g, "parts").turns("parts", "zzzzz"), "was not played from 'zzzzz'"),
    ],
)
def test_what_cannot_be_simulated_is_said_in_one_line(small, ask, message):
    with pytest.raises(gw.UserError, match=message):
        ask(small)
    weighed = gw.load_game(WORDS, weights=dict.fromkeys(WORDS, 2))
    with pytest.raises(gw.UserError, match="the guesses of whole games are counted"):
        gw.simulate(weighed, "parts")


def test_files_of_a_game_by_its_feedback_need_it(tmp_path):
    matrix = [[1, 0, 0], [0, 1, 0], [0, 2, 1]]
    game = gw.Game.from_feedback(["a", "b", "c"], ["x", "y", "z"], matrix, 1)
    gw.rank(game, exact="all", out=tmp_path / "x.h5")
    assert gw.open_results(tmp_path / "x.h5", game).best == "c"
    with pytest.raises(gw.UserError, match="which it lacks; give its game"):
        gw.open_results(tmp_path / "x.h5")
    with pytest.raises(gw.UserError, match="made with the feedback of matrix"):
        gw.open_results(tmp_path / "x.h5", gw.load_game(WORDS))


def test_a_ranking_of_a_position_is_read_with_it(tmp_path, small):
    position = small.after("crane BBYBY")
    made = gw.rank(position, exact="all", out=tmp_path / "x.h5")
    read = gw.open_results(tmp_path / "x.h5")
    assert list(read) == list(made)
    assert read.position.answers == position.answers
    other = gw.load_game(WORDS, max_guesses=5)
    with pytest.raises(gw.UserError, match="made with max_guesses 4, not 5"):
        gw.verify_file(tmp_path / "x.h5", other.after("crane BBYBY"))
    with pytest.raises(gw.UserError, match="made with state 'crane BBYBY', not ''"):
        gw.verify_file(tmp_path / "x.h5", small)


def test_a_seed_is_not_negative(tmp_path, small):
    gw.rank(small, exact=1, out=tmp_path / "x.h5")
    with pytest.raises(gw.UserError, match="seed=-1: give a whole number from 0 on"):
        gw.verify_file(tmp_path / "x.h5", seed=-1)


def test_files_are_written_by_one_job_at_a_time(tmp_path, small):
    with held(tmp_path / "x.h5"), pytest.raises(gw.JobError, match="x.h5: in use by process"):
        gw.rank(small, exact=1, out=tmp_path / "x.h5")


def test_files_say_what_they_are_of(tmp_path, small):
    gw.rank(small.after("crane 00101"), exact=0, out=tmp_path / "x.h5")
    attributes = store.load(tmp_path / "x.h5").attributes
    assert attributes["state"] == "crane BBYBY"


def test_names_are_loaded_when_they_are_used():
    program = (
        "import sys, gpu_wordle as gw\n"
        "assert not {'numpy', 'numba', 'h5py', 'rich', 'typer'} & set(sys.modules)\n"
        "assert set(gw.__all__) <= set(dir(gw))\n"
        "assert len(gw.__all__) <= 38\n"
        "for name in gw.__all__: getattr(gw, name)\n"
        "from gpu_wordle import *\n"
        "assert load_game is gw.load_game\n"
        "assert 'typer' not in sys.modules and 'pandas' not in sys.modules\n"
        "try: gw.nothing\n"
        "except AttributeError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == "module 'gpu_wordle' has no attribute 'nothing'\n"


USER_PROGRAM = """
import threading
import gpu_wordle as gw

game: gw.Game = gw.load_game(["crane", "slate"], weights={"crane": 2, "slate": 1.5})
position: gw.Position = game.after("crane BBGBG")
result = gw.solve(position, threads=1)
mean: float = result.mean
guess: str = result.tree["BBBBB"].guess
for node in result.tree:
    deep: int = node.depth
    below: gw.Tree = node.children["BBBBB"]


def heard(event: gw.Progress) -> None:
    print(event.done / event.total, [word.upper() for word, value in event.best])


ranking: gw.Ranking = gw.rank(
    game, exact=100, out="openers.h5", progress=heard, time_limit=60, stop=threading.Event()
)
best: str = gw.open_results("openers.h5").best
table = gw.published("original", "hard").to_pandas()
won: bool | None = gw.guarantee(game, "crane")
first: str = gw.prove(position).best[0]
own: gw.Strategy
games: gw.Simulation = gw.simulate(game, ["entropy"], "all", out="games.h5", progress=heard)
turn: int | None = games.turns("entropy", "crane")["slate"]
"""


@pytest.mark.slow
def test_a_users_mypy_understands(tmp_path):
    """Types of all that a program uses: it sees the one mistake, and no other."""
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(f"{USER_PROGRAM}\nwrong: int = result.best\n")
    # In the folder and by the strict settings of the project, whose check then shares the cache.
    command = [sys.executable, "-m", "mypy", str(program)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    (mistake,) = (line for line in run.stdout.splitlines() if "program.py" in line)
    assert 'expression has type "str"' in mistake, run.stdout


def test_completion_shows_the_public_names_alone():
    assert dir(gw) == sorted(gw.__all__)
