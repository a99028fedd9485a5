"""The server of the page: the command line's answers, described, in turn, and cancelled."""

import asyncio
import importlib.util
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from fractions import Fraction
from http.client import HTTPConnection
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import gpu_wordle as gw
from gpu_wordle.api.games import position_of
from gpu_wordle.api.judging import common_first
from gpu_wordle.experiments.watch import TOO_LONG
from gpu_wordle.options.declared import Option
from gpu_wordle.options.reading import FILE, FILES, FOLDER, LISTED, WEIGHTS, whole
from gpu_wordle.strategies.named import STRATEGIES
from gpu_wordle.verbs import suggest as suggesting
from gpu_wordle.web.hands import Hands
from gpu_wordle.web.kept import Kept
from gpu_wordle.web.openapi import described
from gpu_wordle.web.parameters import read_all
from gpu_wordle.web.questions import Asked, At, Question
from gpu_wordle.web.request_queue import AT_ONCE, MAX_WAITING_OF_CLIENT, BusyError, RequestQueue
from gpu_wordle.web.server import Server
from gpu_wordle.web.service import JsonAnswer, weight
from gpu_wordle.web.shelf import GameName, Offer, offer_of
from support.commands import COMMAND, invoke
from support.naive_solve import IMPOSSIBLE, NaiveGame
from support.small_game import ANSWERS, GUESSES
from support.small_game import WEIGHTS as LIKELY
from support.web import PATIENCE_S, Installed, ask, events, get, served, wait_until

HARDEST = "immix:BBBBB"
"""After it the original game has 1,429 answers left, which take ten seconds."""

WORK = ("seconds", "expanded")
"""What depends on who came first."""

CALLS = {
    "api/choices": {},
    "api/words": {},
    "api/position": {"turns": "rat:BGG"},
    "api/suggest": {"turns": "rat:BGG", "by": "total,entropy,greens"},
    "api/suggest/live": {"turns": "rat:BGG"},
    "api/guarantee": {"guess": "chf,cat", "max_guesses": 4},
    "api/guess": {"guess": "chf", "turns": "rat:BGG"},
    "api/spectrum": {"guess": "chf", "turns": "rat:BGG"},
    "api/value": {"guess": "chf", "rule": "hard"},
    "api/watch": {"strategies": "entropy,places,optimal,random", "target": "hat"},
    "api/analyse": {"words": "chf,rat,cat", "answer": "cat"},
    "api/collect": {"text": "salet crony abbot", "guesses": "original", "last": "answer"},
    "api/history": {"games": '{"guesses": "rat cat", "answer": "cat"}'},
    "api/play": {"umpire": "adversary", "words": "chf,rat"},
    "api/rankings": {},
    "api/rankings/{name}": {"name": "small"},
    "api/tree": {"guess": "chf", "depth": 3},
}


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    (folder / "guesses.txt").write_text("\n".join(GUESSES))
    (folder / "answers.txt").write_text("\n".join(ANSWERS))
    (folder / "likely.csv").write_text("".join(f"{word},{len(word)}\n" for word in ANSWERS))
    return folder


@pytest.fixture(scope="module")
def server(game):
    """A server of a small game, with its ranking, and of the lists of the package."""
    lists = str(game / "guesses.txt"), str(game / "answers.txt")
    ranking = game / "small.h5"
    gw.rank(gw.load_game(*lists), exact="all", out=ranking)
    with served(offer_of(GameName(*lists), game / "likely.csv", [ranking])) as server:
        yield server


@pytest.fixture
def printed(game, capsys):
    """What the command line prints as JSON, of the small game."""

    def call(verb, *arguments):
        lists = "--guesses", game / "guesses.txt", "--answers", game / "answers.txt"
        weights = ("--weights", game / "likely.csv")
        if verb in ("spectrum", "guarantee"):
            weights = ()
        whole = (verb, *arguments, *lists, *weights, "--json", "--threads", 1)
        invoke([str(each) for each in whole])
        return json.loads(capsys.readouterr().out.replace(f"{game}/", ""))

    return call


def without_work(document):
    """A document without what depends on how busy the machine was."""
    rows = [{k: v for k, v in row.items() if k not in WORK} for row in document["rows"]]
    return {**document, "rows": rows}


def called(server, question):
    """A question of CALLS, as it is asked."""
    given = dict(CALLS[question.path])
    path = question.path.replace("{name}", given.pop("name", ""))
    return get(server, path, **given)


@pytest.mark.parametrize(
    ("path", "given", "verb", "arguments"),
    [
        ("suggest", {"turns": "rat:BGG"}, "suggest", ["rat", "BGG"]),
        ("suggest", {"by": "entropy,greens", "top": 6}, "suggest",
         ["--by", "entropy,greens", "--top", 6]),
        ("suggest", {"rule": "hard", "max_guesses": 4}, "suggest",
         ["--rule", "hard", "--max-guesses", 4]),
        ("suggest", {"objective": "within:2"}, "suggest", ["--objective", "within:2"]),
        ("suggest", {"objective": "mean,worst", "turns": "chf:BBB"}, "suggest",
         ["chf", "BBB", "--objective", "mean,worst"]),
        ("value", {"guess": "cat", "max_guesses": 2}, "solve", ["cat", "--max-guesses", 2]),
        ("value", {"turns": "rat:BGG"}, "solve", ["--state", "rat BGG"]),
        ("guarantee", {"guess": "chf,cat", "max_guesses": 4}, "guarantee",
         ["chf", "cat", "--max-guesses", 4]),
        ("analyse", {"words": "chf,rat,cat", "answer": "cat"}, "analyse",
         ["chf", "rat", "cat", "--answer", "cat"]),
        ("analyse", {"turns": "rat:BGG,bit:BBG", "rule": "hard"}, "analyse",
         ["rat", "BGG", "bit", "BBG", "--rule", "hard"]),
        ("analyse", {"text": "BGG GGG"}, "analyse", ["BGG", "GGG"]),
    ],
)  # fmt: skip
def test_answers_are_those_of_the_command_line(server, printed, path, given, verb, arguments):
    answer = get(server, f"api/{path}", **given)
    assert without_work(answer) == without_work(printed(verb, *arguments))


def test_a_guess_is_judged_beside_all_others(server):
    """Values by brute force; among the best, answers that are possible come first, then others."""
    game = gw.load_game(GUESSES, ANSWERS)
    patterns = [[game.feedback(guess, answer) for guess in GUESSES] for answer in ANSWERS]
    number = {text: i for i, text in enumerate(sorted({text for row in patterns for text in row}))}
    naive = NaiveGame([[number[text] for text in row] for row in patterns],
                      [GUESSES.index(answer) for answer in ANSWERS])  # fmt: skip
    for turns, left in (("", 6), ("rat:BGG", 5), ("rat:BGG", 1)):
        seen = [
            a for a, row in enumerate(patterns) if turns in ("", f"rat:{row[GUESSES.index('rat')]}")
        ]
        values = [naive.guess_value(tuple(seen), g, left) for g in range(len(GUESSES))]
        least = min(values)
        best = [g for g, value in enumerate(values) if value == least < IMPOSSIBLE]
        is_left = [GUESSES[g] in [ANSWERS[a] for a in seen] for g in range(len(GUESSES))]
        best.sort(key=lambda g: (not is_left[g], GUESSES[g] not in ANSWERS, g))
        for g, guess in enumerate(GUESSES):
            asked = {"turns": turns, "max_guesses": left + bool(turns), "weights": "none"}
            found = get(server, "api/guess", guess=guess, **asked)
            (row,) = found["rows"]
            assert row["guaranteed"] == (values[g] < IMPOSSIBLE) == (not row["infeasible"])
            assert row["total"] == (values[g] if values[g] < IMPOSSIBLE else None)
            assert row["optimal"] == (g in best)
            assert found["best_guesses"] == [GUESSES[each] for each in best]
            assert found["best_candidates"] == sum(is_left[each] for each in best)
            sizes = Counter(patterns[a][g] for a in seen)
            assert (row["parts"], row["max_part"]) == (len(sizes), max(sizes.values()))
            if values[g] < IMPOSSIBLE:
                lost = (values[g] - least) / len(seen)
                assert row["loses"] == (pytest.approx({"mean": lost}) if lost else {})
            else:
                assert row["loses"] is None


def test_likelier_words_come_first_among_equals():
    weights = dict(zip(ANSWERS, LIKELY, strict=True))
    game = gw.load_game(GUESSES, ANSWERS, weights=weights)
    at = position_of(game.after("rat BGG"))
    order = [GUESSES[guess] for guess in common_first(at, tuple(range(len(GUESSES))))]
    left = [word for word in ANSWERS if word in game.after("rat BGG").answers]
    others = [word for word in ANSWERS if word not in left]
    likely = [sorted(words, key=lambda word: -weights[word]) for words in (left, others)]
    assert order == [*likely[0], *likely[1], *GUESSES[len(ANSWERS) :]]


def test_a_spectrum_names_its_words(server, printed):
    said = get(server, "api/spectrum", guess="chf", turns="rat:BGG")
    plain = printed("spectrum", "chf", "--state", "rat BGG", "--top", 0)
    rows = [{k: row[k] for k in ("pattern", "part_size")} for row in said["rows"]]
    assert rows == plain["rows"]
    position = gw.load_game(GUESSES, ANSWERS).after("rat BGG")
    assert {row["pattern"]: tuple(row["remaining"]) for row in said["rows"]} == position.parts(
        "chf"
    )
    assert said["statistics"]["parts"] == said["parts"] == len(rows)
    assert said["statistics"]["entropy_bits"] == pytest.approx(said["entropy_bits"])


def test_every_question_is_described_and_keeps_to_its_description(server):
    description = get(server, "openapi.json")
    questions = server.service.questions
    assert {question.path for question in questions} == set(CALLS)
    assert {f"/{path}" for path in (*CALLS, "api/health", "openapi.json", "site.json")} == set(
        description["paths"]
    )
    for question in questions:
        described = description["paths"][f"/{question.path}"]["get"]
        assert described["summary"].endswith(".")
        for each in question.parameters.values():
            assert each.option.allowed not in (FILE, FILES, FOLDER, LISTED, WEIGHTS)
        for each in described["parameters"]:
            assert each["description"].endswith(".")
            assert "--" not in each["description"]
            Draft202012Validator.check_schema(each["schema"])
        if question.events is not None:
            continue
        content = described["responses"]["200"]["content"]["application/json"]
        schema = {**content["schema"], "components": description["components"]}
        Draft202012Validator(schema).validate(called(server, question))
        assert ("allOf" in schema) == bool(question.keys)
    names = [p["get"]["operationId"] for p in description["paths"].values()]
    assert len(set(names)) == len(names)


def test_a_parameter_is_added_in_one_place():
    """It is in the signature alone, and found in OpenAPI and in the check."""

    def count(asked: At, *, top: Annotated[int, Option("Rows.", whole(1, 9))] = 3) -> dict:
        """Count."""

    before = Question(count, "api/count").at(Offer())

    def count(
        asked: At,
        *,
        top: Annotated[int, Option("Rows.", whole(1, 9))] = 3,
        shade: Annotated[Literal["light", "dark"], Option("Light, or dark; see --top.")],
    ) -> dict:
        """Count."""
        return {"top": top, "shade": shade}

    after = Question(count, "api/count").at(Offer())
    assert set(after.parameters) - set(before.parameters) == {"shade"}
    (path,) = [said for at, said in described([after])["paths"].items() if "count" in at]
    (shade,) = [each for each in path["get"]["parameters"] if each["name"] == "shade"]
    assert shade == {
        "name": "shade", "in": "query", "required": True,
        "description": "Light, or dark; see ``top``.",
        "schema": {"type": "string", "maxLength": 200, "enum": ["light", "dark"]},
    }  # fmt: skip
    read = read_all(after.parameters, [("shade", "dark"), ("turns", "rat:BGG"), ("top", "")])
    assert (read["shade"], read["top"], read["turns"]) == ("dark", 3, "rat BGG")
    assert after.answered(Asked(read, None)) == {"top": 3, "shade": "dark"}
    for given, said in (
        ([("shade", "red")], "shade='red': give one of light, dark"),
        ([("shade", "dark"), ("top", "0")], "top='0': give a whole number from 1 to 9"),
        ([("shade", "dark"), ("shade", "dark")], "the parameter shade is given twice"),
        ([], "the parameter shade is missing; give it"),
    ):
        with pytest.raises(gw.UserError, match=said):
            read_all(after.parameters, given)
    with pytest.raises(gw.UserError, match="no parameter 'shade'; there are guesses"):
        read_all(before.parameters, [("shade", "dark")])


def test_a_wrong_question_gets_one_line(server):
    for path, given, said in (
        ("suggest", {"turns": "xyz:BBB"}, "is not one of the 15 words"),
        ("suggest", {"turns": "rat:BGG,rat:GGG"}, "no answer"),
        ("suggest", {"turns": "rat"}, "each with its feedback"),
        ("suggest", {"turns": "chf:GGG"}, "; start gpu-wordle serve with --answers=guesses to let"),
        ("suggest", {"turns": "--rule:BBB"}, "'--rule' is not one"),
        ("suggest", {"template": "c"}, "template 'c' has 1 place"),
        ("suggest", {"turns": "rat:BGG,rat:BGG", "max_guesses": "2"}, "raise the guess limit"),
        ("suggest", {"turns": ",".join(["rat:BGG"] * 30)}, "at most 20 guesses"),
        ("suggest", {"top": "0"}, "from 1 to 100"),
        ("suggest", {"top": "1e3"}, "from 1 to 100"),
        ("suggest", {"by": "beauty"}, "no criterion is called"),
        ("suggest", {"rule": "soft"}, "give one of normal"),
        ("suggest", {"objective": "fun"}, "objective"),
        ("suggest", {"guesses": "/etc/passwd"}, "give one of original"),
        ("suggest", {"weights": "../likely.csv"}, "give one of none"),
        ("suggest", {"wrong": "1"}, "no parameter"),
        ("guarantee", {}, "guess is missing"),
        ("spectrum", {"guess": ""}, "guess is missing"),
        ("watch", {"strategies": "q-learning", "target": "cat"}, "learns for minutes"),
        ("watch", {"strategies": "entropy,entropy", "target": "cat"}, "named twice"),
        ("watch", {"strategies": "entropy", "target": "chf"}, "chf"),
        ("watch", {"strategies": "entropy", "target": "bit", "turns": "rat:BGG"}, "cannot be"),
        ("watch", {"strategies": "parts", "target": "cat", "objective": "worst"}, "no regret"),
        ("analyse", {"words": "chf,cat"}, "give the answer"),
        ("analyse", {}, "give one of: the turns"),
        ("play", {"umpire": "word"}, "needs the answer"),
        ("play", {"words": "cat,cat,cat,cat", "umpire": "word", "answer": "cat"}, "over before"),
        ("play", {"words": "chf,rat,tab", "rule": "hard", "umpire": "adversary"}, "illegal"),
        ("rankings/none", {}, "give one of original-normal"),
        ("tree", {"guess": "cat", "path": "GGG"}, "finds the answer"),
    ):  # fmt: skip
        status, answer, _ = ask(server, f"api/{path}", given)
        assert status == 400, (path, given, answer)
        assert answer["error"]["status"] == 400
        assert said in answer["error"]["message"], (given, answer)
        assert "\n" not in answer["error"]["message"]
        assert not re.search(r"(?<!serve with )(?<!')--[a-z]", answer["error"]["message"])
    status, _, headers = ask(server, "api/suggest?top=1&top=2")
    assert (status, headers["cache-control"]) == (400, "no-store")


def test_a_stream_tells_the_position_then_bounds_then_what_suggest_says(server):
    asked = {"guesses": "original", "turns": "salet:BBBBB", "weights": "none", "by": "total,greens"}
    heard = events(server, "api/suggest/live", **asked)
    names = [name for name, _ in heard]
    assert names[0] == "position"
    assert names[-1] == "suggestions"
    assert set(names[1:-1]) == {"bounds"}
    final = heard[-1][1]
    assert final == get(server, "api/suggest", **asked)
    assert heard[0][1]["remaining"] == final["remaining"]
    values = {row["guess"]: row["total"] for row in final["rows"]}
    for _, bounds in heard[1:-1]:
        assert bounds["open"] >= 0
        for row in bounds["rows"]:
            low, high = row["lower"], row["upper"]
            assert high is None or low <= high
            total = values.get(row["guess"])
            assert total is None or low <= total <= (high or total)
    status, answer, headers = ask(server, "api/suggest/live", {"turns": "rat:GGG,rat:GGG"})
    assert status == 400
    assert headers["content-type"] == "application/json"
    assert "over" in answer["error"]["message"]


@pytest.mark.parametrize(("rule", "total"), [("normal", 7920), ("hard", 8122)])
def test_the_best_first_guess_of_a_published_ranking_is_not_sought(server, rule, total):
    asked = {"guesses": "original", "weights": "none", "rule": rule}
    (row,) = get(server, "api/value", **asked)["rows"]
    assert (row["opener"], row["status"], row["total"]) == ("salet", "exact", total)
    assert row["expanded"] < 2000


@pytest.mark.parametrize("path", ["suggest/live", "suggest", "tree"])
def test_who_leaves_is_not_worked_for_any_more(server, path):
    """And others are served meanwhile, though there is one thread."""
    target = f"/api/{path}?guesses=original&weights=none&turns={HARDEST}"
    connection = HTTPConnection(server.host, server.port, timeout=PATIENCE_S)
    connection.request("GET", target)
    if path == "suggest/live":
        connection.getresponse().readline()
    wait_until(lambda: server.queue.working == 1)
    assert get(server, "api/suggest", turns="rat:BGG", client="other")["rows"]
    assert server.queue.working == 1
    left = time.monotonic()
    connection.close()
    wait_until(lambda: server.queue.working == 0)
    assert time.monotonic() - left < 5


def test_an_early_end_is_told_as_intervals_and_not_kept(server):
    asked = {"guesses": "original", "weights": "none", "turns": HARDEST, "seconds": 1}
    status, answer, headers = ask(server, "api/suggest", asked)
    assert status == 200
    assert headers["cache-control"] == "no-store"
    assert any(row["optimal"] is None for row in answer["rows"])


def test_clients_take_turns_and_too_many_questions_are_turned_away():
    """No client has all places, and one that asks once waits for one question of another."""

    async def play():
        hands, begun, go = Hands(1), [], threading.Event()
        queue = RequestQueue(hands)

        def ask_as(client, work, *ahead):
            return asyncio.ensure_future(queue.ask(client, work, *ahead))

        tasks = [ask_as("many", lambda job: go.wait(PATIENCE_S)) for _ in range(AT_ONCE)]
        await asyncio.sleep(0)
        assert (queue.working, queue.waiting) == (AT_ONCE // 2, AT_ONCE // 2)
        assert await queue.read(lambda: "at once") == "at once"
        tasks.append(ask_as("other", lambda job: go.wait(PATIENCE_S)))
        for number in range(MAX_WAITING_OF_CLIENT - 1):
            tasks.append(ask_as("many", lambda job, number=number: begun.append(number)))
        ahead = []
        tasks.append(ask_as("few", lambda job: begun.append("few"), ahead.append))
        await asyncio.sleep(0)
        assert ahead == [MAX_WAITING_OF_CLIENT]
        with pytest.raises(BusyError):
            await queue.ask("many", lambda job: None)
        dropped = tasks[AT_ONCE + 4]
        dropped.cancel()
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.05)
        assert (queue.working, queue.waiting) == (0, 0)
        queue.close()
        assert begun.index("few") <= 1  # though the others had asked before
        assert {*range(MAX_WAITING_OF_CLIENT - 1)} - {*begun} == {3}

    asyncio.run(play())


def test_hands_do_one_task_of_each_share_in_turn():
    hands, done, go = Hands(1), [], threading.Event()
    first = hands.share()
    first.submit(go.wait, PATIENCE_S)
    shares = [hands.share() for _ in range(3)]
    futures = [share.submit(done.append, (name, number)) for name, share in enumerate(shares)
               for number in range(3)]  # fmt: skip
    go.set()
    for future in futures:
        future.result(PATIENCE_S)
    assert done == [(name, number) for number in range(3) for name in range(3)]
    failing = shares[0].submit(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        failing.result(PATIENCE_S)
    go.clear()
    first.submit(go.wait, PATIENCE_S)
    dropped = shares[1].submit(done.append, "never")
    shares[1].shutdown(cancel_futures=True)
    assert dropped.cancelled()
    go.set()
    first.shutdown()
    hands.close()
    assert "never" not in done


def test_what_is_kept_is_bounded_by_its_weight():
    kept = Kept(10, lambda key, word: len(word))
    for word in ("a" * 4, "b" * 4):
        assert kept.made(word[0], lambda word=word: word) == word
    assert kept.get("a") == "aaaa"
    kept.put("c", "cc" * 2)
    assert (kept.get("b"), kept.get("a"), len(kept)) == (None, "aaaa", 2)
    kept.put("d", "d" * 11)
    assert len(kept) == 0


def test_what_is_kept_is_weighed_with_its_question():
    """Small answers to long questions would take many times the memory that they are given."""
    key, short = ("api/analyse", "x" * 16_000), JsonAnswer(b'{"rows":[]}')
    assert weight(key, short) > 17_000
    assert weight(("api/play", ""), short) >= 1_000  # what Python itself takes for each


def test_what_was_found_for_one_client_is_told_to_all(server, monkeypatch):
    """Whether they wait for it or listen, and however it was asked for the first time."""
    asked = {"guesses": "original", "weights": "none", "turns": "crony:BBYBB", "top": 3}
    heard = events(server, "api/suggest/live", **asked, client="first")
    monkeypatch.setattr(suggesting, "find", lambda *_: pytest.fail("it was worked out again"))
    assert get(server, "api/suggest", **asked, client="second") == heard[-1][1]
    again = events(server, "api/suggest/live", **asked, client="third")
    assert [name for name, _ in again] == ["position", "suggestions"]
    assert again == [heard[0], heard[-1]]


def test_a_question_that_many_ask_at_once_is_worked_on_once(server, monkeypatch):
    """One of them is at work, and the others find its answer when their turn comes."""
    begun, go, told = [], threading.Event(), suggesting.find

    def slowly(*given):
        begun.append(given)
        assert go.wait(PATIENCE_S)
        return told(*given)

    monkeypatch.setattr(suggesting, "find", slowly)
    asked, found = {"turns": "mps:BBB", "top": 2, "client": "crowd"}, []
    crowd = [
        threading.Thread(target=lambda: found.append(get(server, "api/suggest", **asked)))
        for _ in range(6)
    ]
    for each in crowd:
        each.start()
    wait_until(lambda: server.queue.waiting + server.queue.working == len(crowd))
    at_once = server.queue.working
    go.set()
    for each in crowd:
        each.join()
    assert len(begun) == at_once < len(crowd) == len(found)
    assert all(each == found[0] for each in found)


def test_a_watched_game_adds_up(server):
    """Its length less the value of the start is what it lost less its luck."""
    said = get(server, "api/watch", strategies="entropy,places,optimal", target="hat",
               openers="chf,-,-", weights="none", max_guesses=0)  # fmt: skip
    game = gw.load_game(GUESSES, ANSWERS, max_guesses=0)
    for strategy in ("entropy", "places", "optimal"):
        rows = [row for row in said["rows"] if row["strategy"] == strategy]
        assert [row["turn"] for row in rows] == list(range(1, len(rows) + 1))
        assert rows[-1]["solved"]
        assert [row["pattern"] for row in rows] == [game.feedback(r["guess"], "hat") for r in rows]
        lost = sum(Fraction(r["regret_fraction"]) - Fraction(r["luck_fraction"]) for r in rows)
        assert len(rows) - gw.value(game) == lost
        if strategy == "optimal":
            assert {row["regret_fraction"][0] for row in rows} == {"0"}
        for row, after in pairwise(rows):
            assert len(row["remaining"]) == row["answers_after"] == after["answers_before"]
    assert said["rows"][0]["guess"] == "chf"
    assert said["rows"][0]["tied"] is None
    first = next(row for row in said["rows"] if row["strategy"] == "places")
    greens = {g: sum(x == y for a in ANSWERS for x, y in zip(g, a, strict=True)) for g in GUESSES}
    best = max(greens.values())
    assert set(first["tied_guesses"]) == {g for g in GUESSES if greens[g] == best}
    assert first["tied"] == len(first["tied_guesses"])
    assert first["considered_worth"] == sorted(first["considered_worth"], reverse=True)
    assert first["considered_worth"][0] == best


def test_a_rule_by_the_partition_is_watched_by_its_own_statistic(server):
    rated = {"entropy": "entropy_bits", "parts": "parts", "max-part": "max_part"}
    for strategy, key in {**rated, "expected-part": "expected_part_size"}.items():
        row = get(server, "api/watch", strategies=strategy, target="hat")["rows"][0]
        statistics = get(server, "api/spectrum", guess=row["guess"])["statistics"]
        place = row["considered"].index(row["guess"])
        assert row["considered_worth"][place] == pytest.approx(statistics[key])


def test_every_strategy_that_does_not_learn_can_be_watched(server):
    named = {each["strategy"].split(":")[0].split("[")[0]
             for each in get(server, "api/choices")["strategies"]}  # fmt: skip
    assert named == set(STRATEGIES) - set(TOO_LONG)
    for name in named - {"opening"}:
        assert get(server, "api/watch", strategies=name, target="sat")["rows"]
    rows = get(server, "api/watch", strategies="opening:chf+rib:parts", target="sat")["rows"]
    assert [row["guess"] for row in rows[:2]] == ["chf", "rib"]


def test_the_umpire_says_the_same_whenever_it_is_asked(server):
    game = gw.load_game(GUESSES, ANSWERS)
    drawn = set()
    for seed in range(12):
        said = get(server, "api/play", umpire="random", seed=seed, words=",".join(["chf"] * 6))
        assert said == get(server, "api/play", umpire="random", seed=seed,
                           words=",".join(["chf"] * 6))  # fmt: skip
        assert said["over"]
        assert not said["solved"]
        drawn.add(said["answer"])
        assert said["rows"][0]["pattern"] == game.feedback("chf", said["answer"])
    assert len(drawn) > 3
    said = get(server, "api/play", umpire="word", answer="hat", words="rat,hat")
    assert (said["solved"], said["over"], said["answer"]) == (True, True, "hat")
    assert said["keyboard"] == {"r": "B", "a": "G", "t": "G", "h": "G"}
    started = get(server, "api/play", umpire="adversary")
    assert (started["rows"], started["over"], started["answer"]) == ([], False, None)


def test_the_adversary_keeps_the_largest_part(server):
    game = gw.load_game(GUESSES, ANSWERS)
    left = set(ANSWERS)
    for row in get(server, "api/play", umpire="adversary", words="chf,rib,mps,bat")["rows"]:
        parts = {}
        for answer in left:
            parts.setdefault(game.feedback(row["guess"], answer), set()).add(answer)
        assert len(parts[row["pattern"]]) == max(map(len, parts.values()))
        assert row["answers_after"] == len(parts[row["pattern"]])
        left = parts[row["pattern"]]


def test_a_tree_is_one_strategy_and_its_totals_add_up(server):
    """SALET needs 7,920 guesses, which are the 2,315 of its own and those after each reply."""
    asked = {"guesses": "original", "weights": "none", "guess": "salet"}
    node = get(server, "api/tree", **asked)["node"]
    assert (node["guess"], node["total"], node["answers"], node["worst"]) == (
        "salet",
        7920,
        2315,
        5,
    )
    below = [part for part in node["parts"] if part["guess"] is not None]
    assert sum(part["part_size"] for part in node["parts"]) == 2315
    assert sum(part["total"] for part in below) + 2315 == 7920
    part = next(part for part in below if part["pattern"] == "BYBBG")
    deeper = get(server, "api/tree", **asked, path="BYBBG", depth=6)["node"]
    assert (deeper["guess"], deeper["total"]) == (part["guess"], part["total"])

    def total(node):
        return node["answers"] + sum(total(p["node"]) for p in node["parts"] if p["node"])

    assert total(deeper) == deeper["total"]
    best = get(server, "api/suggest", guesses="original", weights="none", turns="salet:BYBBG")
    assert best["rows"][0]["total"] == deeper["total"]
    assert get(server, "api/tree", **{**asked, "guess": ""})["node"]["guess"] == "salet"


@pytest.mark.slow
def test_rankings_are_those_of_their_files(server):
    named = {row["name"]: row for row in get(server, "api/rankings")["rankings"]}
    assert list(named) == ["original-normal", "original-hard", "nyt-2023-normal", "small"]
    assert named["original-hard"] == {
        "name": "original-hard", "guesses": "original", "rule": "hard", "objective": "mean",
        "max_guesses": 6, "state": "", "openers": 12972, "source": "published",
    }  # fmt: skip
    columns = get(server, "api/rankings/original-normal")["columns"]
    table = dict(zip(columns["opener"], columns["total"], strict=True))
    published = gw.published()
    assert table["salet"] == 7920
    assert all(table[row["opener"]] == row["total"] for row in published.head(50))
    assert columns["entropy_bits"][0] == published.head(1)[0]["entropy_bits"]


def test_a_pasted_game_is_understood(server):
    text = "Wordle 1,234 2/6\n\nrat ⬛🟩🟩\nhat 🟩🟩🟩\n"
    body, json_type = json.dumps({"text": text}).encode(), {"Content-Type": "application/json"}
    status, said, _ = ask(server, "api/analyse", {}, json_type, "POST", body)
    assert status == 200
    assert [row["guess"] for row in said["rows"]] == ["rat", "hat"]
    said = get(server, "api/position", text="rat ⬛🟩🟩")
    assert said["rows"] == [{"turn": 1, "guess": "rat", "pattern": "BGG"}]
    assert said["remaining"] == [word for word in ANSWERS if word.endswith("at") and word != "rat"]


def test_what_is_known_without_guesses_belongs_to_positions(server):
    known = {"template": "*a*", "absent": "r"}
    left = [word for word in ANSWERS if word[1] == "a" and "r" not in word]
    assert get(server, "api/position", **known)["remaining"] == left
    both = get(server, "api/position", **known, turns="cat:BGG")
    assert both["remaining"] == [word for word in left if word != "cat"]
    assert both["state"] == "known:*a*//r cat BGG"
    for path, given in (("guarantee", {"guess": "cat"}), ("spectrum", {"guess": "cat"})):
        assert get(server, f"api/{path}", **known, **given)["answers"] == len(left)


def test_the_offer_of_a_server(server, game):
    said = get(server, "site.json")
    assert said["source"] == "server"
    assert said["defaults"] == {
        "guesses": "answers", "answers": None, "rule": "normal", "objective": "mean",
        "max_guesses": 6, "weights": "likely",
    }  # fmt: skip
    choices = get(server, "api/choices")
    assert [each["list"] for each in choices["lists"]][-1] == "answers"
    assert choices["weights"] == ["none", "likely"]
    words = get(server, "api/words")
    assert (set(words["guesses"]), set(words["answers"])) == (set(GUESSES), set(ANSWERS))
    for given, why in (
        (GameName("mastermind:2x3"), "words"),
        (GameName("original", rule="normal", objective="fun"), "objective"),
    ):
        with pytest.raises(gw.UserError, match=why):
            offer_of(given, None, [])
    with pytest.raises(gw.UserError, match="already"):
        offer_of(GameName(), None, [game / "small.h5", game / "small.h5"])
    with pytest.raises(gw.UserError):
        offer_of(GameName(), None, [game / "guesses.txt"])


def test_a_server_joins_answers_and_takes_unlisted_guesses(tmp_path):
    for name, words in (("guesses", ["tab", "rib"]), ("answers", ["cat", "rat"])):
        (tmp_path / f"{name}.txt").write_text("\n".join(words))
    lists = str(tmp_path / "guesses.txt"), str(tmp_path / "answers.txt")
    offer = offer_of(GameName(*lists), None, [], join_answers=True, unlisted=["zzz"])
    assert offer.default.guesses == "answers"
    with served(offer) as server:
        assert get(server, "api/words")["guesses"] == ["tab", "rib", "cat", "rat", "zzz"]
        assert get(server, "api/position", turns="zzz:BBB")["answers"] == 2
    named = offer_of(GameName(), None, [], unlisted=["zzzzz"]).default.guesses
    assert named == "original-given"


@pytest.mark.slow
def test_the_verb_serves_at_once_until_it_is_interrupted(tmp_path):
    """Without any machine code, too: it says how far it is, and leaves no compiler behind."""
    command = [*COMMAND, "serve", "--port", "0", "--no-open", "--json", "--threads", "1", "--quiet"]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    environment = os.environ | {"GPU_WORDLE_MACHINE_CODE": str(tmp_path)}
    process = subprocess.Popen(command, env=environment, start_new_session=True, **options)
    said = ""
    while not said.endswith("\n}\n"):
        line = process.stdout.readline()
        assert line, f"the server did not come up: {said}"
        said += line
    address = json.loads(said)["address"]
    port = int(address.rstrip("/").rpartition(":")[2])
    serving = Installed("127.0.0.1", port)
    assert get(serving, "site.json")["compiled"] < 1
    status, refused, headers = ask(serving, "api/words")
    assert (status, headers["retry-after"]) == (503, "2")
    assert refused["error"]["message"].startswith("the search is being compiled, once on this")
    with pytest.raises(gw.JobError, match=rf"port {port} is in use; try --port {port + 1}"):
        Server(Offer(), port=port)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, err) == (0, "", "")
    with pytest.raises(ProcessLookupError):
        wait_until(lambda: os.killpg(process.pid, 0))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", 70000], "give a whole number from 0 to 65,535"),
        (["--openers", 3], "--openers needs --export"),
        (["--state", "salet BYBBG"], "leave --state out"),
        (["--backend", "reference"], "give one of auto, cpu"),
        (["--guesses", "mastermind:2x3"], "the page plays with words"),
        (["--host", "no.such.host.invalid"], "no address of this computer"),
        (["missing.h5"], "no such file"),
    ],
)
def test_a_server_that_cannot_be_does_not_begin(arguments, said):
    with pytest.raises(gw.UserError, match=said):
        invoke(["serve", "--quiet", *map(str, arguments)])


def test_who_lets_others_in_is_warned(monkeypatch, capsys):
    monkeypatch.setattr(Server, "run", lambda server, begun: server.close())
    for host, is_warned in (("127.0.0.1", False), ("0.0.0.0", True)):
        invoke(["serve", "--port", "0", "--host", host, "--quiet"])
        assert ("warning: other computers" in capsys.readouterr().err) == is_warned


def test_the_extra_is_named_where_it_is_missing(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "uvicorn" else found(name)
    )
    with pytest.raises(gw.UserError, match=r"pip install '\.\[web\]' in"):
        invoke(["serve", "--quiet"])


def test_a_game_is_weighed_by_what_the_command_line_gave(server):
    position = get(server, "api/position", turns="rat:BGG")
    assert position["weights"] == "likely.csv"
    assert np.isclose(position["weight"], 3 * position["answers"])
