"""A data set of positions: exact, split without leaks, and the same however it was made."""

import threading
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pyarrow.parquet as pq
import pytest

import gpu_wordle as gw
from gpu_wordle.api.games import position_of
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.experiments import positions as drawing
from gpu_wordle.experiments.positions import Draws, Identity, Walks
from gpu_wordle.experiments.splits import split_of
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking import job
from gpu_wordle.report import positions as keeping
from gpu_wordle.report.documents import read_document
from gpu_wordle.solver import open_solver
from gpu_wordle.solver.plain import PlainSolver
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions, key_of
from support.commands import invoke
from support.naive_rules import is_legal
from support.output import rows_of

WORDS = "random:4:300:60"
COUNT = 80


@pytest.fixture(scope="module")
def game(_private_cache):
    return gw.load_game(WORDS)


@pytest.fixture(scope="module")
def made(game, tmp_path_factory):
    """A data set, and its rows."""
    path = tmp_path_factory.mktemp("made") / "x.parquet"
    summary = gw.positions(game, out=path, count=COUNT, seed=3, threads=1)
    assert sum(row["positions"] for row in summary) == COUNT
    return path, pq.read_table(path).to_pylist()


def test_values_are_those_of_the_plain_solver(game, made):
    inner, plain = position_of(game).game, PlainSolver(position_of(game).game)
    rows = [row for row in made[1] if row["answers_before"] <= 7][::4]
    assert len(rows) > 10
    for row in rows:
        position = inner.position_after(row["state"])
        left, guesses_left = tuple(position.state.tolist()), position.guesses_left
        values = {
            word: plain.search(left, INFEASIBLE, guesses_left, guess, known_lower=0)[0]
            for guess, word in enumerate(game.guesses)
        }
        least, weight = min(values.values()), row["total_weight"]
        assert (weight, row["value_before"]) == (len(left), least / weight)
        assert row["turn"] == len(position.turns) + 1
        assert row["remaining"] == [game.answers[a] for a in left]
        best = {word for word, value in values.items() if value == least}
        assert set(row["optimal_guesses"]) == best
        told = [
            None if values[word] >= INFEASIBLE else (values[word] - least) / weight
            for word in row["valued_guesses"]
        ]
        assert row["regrets"] == told
        top = row["top_guesses"]
        winning = sorted(value for value in values.values() if value < INFEASIBLE)[:50]
        assert [values[word] for word in row["valued_guesses"][:top]] == winning
        assert len(set(row["valued_guesses"][:top])) == len(winning) == top
        assert len(set(row["valued_guesses"][top:])) == len(row["valued_guesses"]) - top == 50
        groups = [
            Counter(game.feedback(g, a) for a in row["remaining"]).values()
            for g in row["valued_guesses"]
        ]
        assert row["groups"] == [len(sizes) for sizes in groups]
        assert row["largest_groups"] == [max(sizes) for sizes in groups]
        assert row["squared_sizes"] == [sum(size**2 for size in sizes) for sizes in groups]


def test_only_optimal_guesses_have_no_regret(made):
    for row in made[1]:
        for guess, regret in zip(row["valued_guesses"], row["regrets"], strict=True):
            assert (regret == 0) == (guess in row["optimal_guesses"])
            weight = row["total_weight"]
            assert regret is None or regret == round(regret * weight) / weight


def test_no_set_of_answers_is_in_two_splits(made):
    splits = defaultdict(set)
    for row in made[1]:
        splits[frozenset(row["remaining"])].add((row["split"], row["secret"]))
        assert row["secret"] in row["remaining"]
        assert split_of(row["secret"]) == row["split"]
        same = sum(split_of(word) == row["split"] for word in row["remaining"])
        assert row["answers_of_split"] == same >= 1
    assert all(len(found) == 1 for found in splits.values())
    assert len({row["position"] for row in made[1]}) == COUNT
    assert {row["split"] for row in made[1]} == {"train", "validation", "test"}


def test_the_split_depends_on_the_answers_left_alone(game):
    ways = defaultdict(set)
    for guess in game.guesses:
        for told, left in game.start.parts(guess).items():
            if told != "GGGG":
                found = Identity.of(position_of(game.after(f"{guess} {told}")))
                ways[left].add((found, split_of(found.secret)))
    assert all(len(found) == 1 for found in ways.values())
    assert len(ways) < sum(len(game.start.parts(guess)) for guess in game.guesses) / 2
    for (only,), ((found, _),) in ((k, v) for k, v in ways.items() if len(k) == 1):
        assert found.secret == only
    shuffled = gw.load_game(game.guesses[::-1], game.answers[::-1])
    told, *_ = game.start.parts(game.guesses[0])
    history = f"{game.guesses[0]} {told}"
    mine, theirs = (Identity.of(position_of(g.after(history))) for g in (game, shuffled))
    assert mine == theirs
    twice = Identity.of(position_of(game.after(f"{history} {history}")))
    assert (twice.secret, twice.name == mine.name) == (mine.secret, False)


def test_splits_have_their_shares():
    counts = Counter(map(split_of, gw.load_game().answers))
    shares = {name: count / counts.total() for name, count in counts.items()}
    assert shares == pytest.approx({"train": 0.7, "validation": 0.1, "test": 0.2}, abs=0.02)


@pytest.mark.slow
def test_files_depend_on_the_seed_alone(game, made, tmp_path, monkeypatch):
    once = made[0].read_bytes()
    out = tmp_path / "x.parquet"
    gw.positions(game, out=out, count=COUNT, seed=3, threads=2)
    assert out.read_bytes() == once
    for least in (7, 30):  # stop and resume twice, then ask for the rest
        stop = threading.Event()

        def follow(progress, least=least, stop=stop):
            if progress.done >= least:
                stop.set()

        ended = gw.positions(
            game, out=tmp_path / "y.parquet", count=COUNT, seed=3, stop=stop, progress=follow
        )
        assert ended.ended == "stopped"
        assert least <= pq.read_table(tmp_path / "y.parquet").num_rows < COUNT
    gw.positions(game, out=tmp_path / "y.parquet", count=60, seed=3)
    monkeypatch.setattr(job, "CHECKPOINT_SECONDS", 0.0)
    gw.positions(game, out=tmp_path / "y.parquet", count=COUNT, seed=3)
    assert (tmp_path / "y.parquet").read_bytes() == once
    gw.positions(game, out=out, count=5, seed=4, fresh=True)
    assert pq.read_table(out)["state"].to_pylist() != [row["state"] for row in made[1][:5]]


def test_draws_are_fixed():
    draws = Draws(1, 2, 3)
    assert [draws.by(np.array([5, 0, 5])) for _ in range(8)] == [0, 2, 2, 0, 0, 0, 2, 2]
    assert draws.some(np.arange(9), 4).tolist() == [1, 2, 3, 5]


def test_players_play_as_they_say(game):
    inner = position_of(game).game
    evaluator = open_session(inner.start(), Machine("cpu", 1)).evaluator
    solver = open_solver(inner)
    walks = Walks(inner, 5, solver.engine.measure(inner.root())[0])
    seen = set()
    for number in range(150):
        reached = walks.walk(solver, number)
        assert all(len(each.position.state) > 1 for each in reached)
        for before, after in pairwise(reached):
            position, guess, player = before.position, after.position.turns[-1][0], before.player
            seen.add(player)
            values = solver.solve(position).lower, solver.solve(position, guess).lower
            if player == "optimal" and values[0] < INFEASIBLE:
                assert values[0] == values[1]
            if player in ("parts", "expected-part"):
                opened = Positions.of(position, evaluator)
                assert make_strategy(player, inner).choose(opened).tolist() == [guess]
            if player == "candidate":
                assert inner.words.answer_of_guess[guess] in position.state
    assert seen == set(drawing.PLAYERS)
    assert sum(drawing.PLAYERS.values()) == 100


@pytest.mark.parametrize(
    "told",
    [
        {"rule": "hard", "max_guesses": 0},
        {"rule": "candidates"},
        {"objective": "cost:1,2,4,8,16,32"},
        {"objective": "mean,worst", "weights": "some"},
    ],
)
def test_rows_of_other_games_have_the_regrets_of_the_api(told, tmp_path):
    answers = gw.load_game(WORDS).answers
    if "weights" in told:
        told = told | {"weights": {word: place % 4 for place, word in enumerate(answers)}}
    game = gw.load_game(WORDS, **told)
    gw.positions(game, out=tmp_path / "x.parquet", count=25, seed=1)
    for row in pq.read_table(tmp_path / "x.parquet").to_pylist():
        position = game.after(row["state"])
        regrets = dict(zip(game.guesses, gw.regrets(position).tolist(), strict=True))
        assert row["regrets"] == [
            None if regrets[word] == float("inf") else regrets[word]
            for word in row["valued_guesses"]
        ]
        assert {word for word, regret in regrets.items() if regret == 0} == set(
            row["optimal_guesses"]
        )
        assert row["value_before"] == float(gw.value(position))
        if game.rule == "hard":
            for word in row["valued_guesses"]:
                assert all(is_legal("hard", word, *turn) for turn in position.turns)


def test_large_positions_are_thinned(game, monkeypatch):
    monkeypatch.setattr(drawing, "ALL_KEPT", 4)
    found = defaultdict(list)
    for guess in game.guesses:
        for told, left in game.start.parts(guess).items():
            if told != "GGGG":
                position = position_of(game.after(f"{guess} {told}"))
                found[len(left)].append(Identity.of(position).is_kept)
    assert all(all(kept) for size, kept in found.items() if size <= 4)
    large = [(size, kept) for size, each in found.items() if size > 4 for kept in each]
    expected = sum(4 / size for size, _ in large)
    assert abs(sum(kept for _, kept in large) - expected) < 4 * expected**0.5


def test_other_programs_read_the_file(made):
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(made[0])
    assert len(frame) == COUNT
    assert frame.loc[0, "valued_guesses"].tolist() == made[1][0]["valued_guesses"]
    assert (frame["value_before"] == [row["value_before"] for row in made[1]]).all()
    document = read_document(made[0])
    assert (document.answer["seed"], document.envelope["verb"]) == (3, "positions")
    assert document.answer["mixture"] == drawing.MIXTURE


def test_polars_reads_the_file(made):
    polars = pytest.importorskip("polars")
    frame = polars.read_parquet(made[0])
    assert frame.to_dicts() == made[1]


def test_what_cannot_be_is_refused_in_a_line(game, made, tmp_path, monkeypatch):
    def refused(match, *, out=tmp_path / "x.parquet", game=game, error=gw.UserError, **told):
        with pytest.raises(error, match=match):
            gw.positions(game, out=out, **told)

    for count in (0, -1, 2.5, 10**9):
        refused(rf"count={count}: give a whole number from 1 to 1,000,000", count=count)
    refused("Parquet; give a name that ends in .parquet", out=tmp_path / "x.csv")
    refused("written to a file; name it with out", out=None)
    refused("there is no folder", out=tmp_path / "no" / "x.parquet")
    refused("worst is no sum of guesses", game=gw.load_game(WORDS, objective="worst"))
    refused("made with seed 3, this job has 0; choose another", out=made[0])
    refused(
        "made with rule normal, this job",
        out=made[0],
        seed=3,
        game=gw.load_game(WORDS, rule="hard"),
    )
    before = made[0].read_bytes()
    for name, content in {"text": b"text", "other": b"", "cut": before[:-9]}.items():
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(content)
    gw.rank(game, exact=0).to_pandas().to_parquet(tmp_path / "other.parquet")
    for name in ("text", "other", "cut"):
        for fresh in (False, True):
            refused("no positions of gpu-wordle", out=tmp_path / f"{name}.parquet", fresh=fresh)
    assert made[0].read_bytes() == before
    monkeypatch.setattr(keeping.importlib.util, "find_spec", lambda _: None)
    refused(r"Parquet files need pyarrow; pip install '.\[parquet\]'")


def test_a_game_of_few_positions_ends_with_those_that_there_are(tmp_path, monkeypatch):
    monkeypatch.setattr("gpu_wordle.api.positions.MAX_BARREN", 200)
    tiny, out = (
        gw.load_game(["bat", "cat", "fat", "chf"], ["bat", "cat", "fat"]),
        tmp_path / "x.parquet",
    )
    with pytest.raises(gw.JobError, match=r"reach only (\d+) positions of this game; ask for a"):
        gw.positions(tiny, out=out, count=1000)
    count = pq.read_table(out).num_rows
    gw.positions(tiny, out=out, count=count)
    inner = position_of(tiny).game
    states = [inner.position_after(row["state"]) for row in pq.read_table(out).to_pylist()]
    assert len({key_of(each) for each in states}) == count > 3
    with pytest.raises(gw.JobError, match=r"reach no position .*; choose longer lists, or"):
        gw.positions(gw.load_game(["bat", "cat"]), out=tmp_path / "y.parquet", count=5)
    assert not (tmp_path / "y.parquet").exists()


def test_the_command_writes_the_file(tmp_path, capsys):
    out = tmp_path / "x.parquet"
    line = ["positions", "--guesses", WORDS, "--count", "5", "--seed", "2", "--out", str(out)]
    assert not invoke([*line, "--json"])
    rows = rows_of(capsys.readouterr().out)
    told = Counter(pq.read_table(out)["split"].to_pylist())
    assert {row["split"]: row["positions"] for row in rows if row["positions"]} == told
    assert told.total() == 5
