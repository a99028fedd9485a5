"""Games in text: every valid word is taken, what is told can be read again, scores are exact."""

from __future__ import annotations

import json

import pytest

import gpu_wordle as gw
from gpu_wordle.experiments.pasted import read_pasted
from gpu_wordle.experiments.replies import read_reply
from support.small_game import ANSWERS, GUESSES


@pytest.fixture(scope="module")
def game(_private_cache):
    return gw.load_game(GUESSES, ANSWERS, rule="hard")


@pytest.fixture(scope="module")
def words(original):
    return original.words


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("crane", "crane"),
        (" CRANE.\n", "CRANE"),
        ("Guess 1: crane", "crane"),
        ("I think that this is best: <guess>Crane</guess>", "Crane"),
        ("<think>slate or <guess>slate</guess>?</think>\n<guess>crane</guess>", "crane"),
        ("<think>slate", None),
        ("My next guess is [crane] since about half hold an e.", "crane"),
        ("So the answer is \\boxed{crane}.", "crane"),
        ("I will guess **CRANE**, as there may be an e.", "CRANE"),
        ("<guess>crane</guess> and again <guess>CRANE</guess>", "crane"),
        ("<guess>xyzzy</guess>", "xyzzy"),
        ("Guess:", None),
        ("**Guess:**", None),
        ("Guess: \U0001f600", None),
        ("guess", "guess"),
        ("Answer: guess", "guess"),
        ("Put it in <guess> tags: <guess>crane</guess> as in <guess> tags", "crane"),
        ("C R A N E", "CRANE"),
        ("", None),
        ("no idea", None),
        ("salet BYBBG", None),
    ],
)
def test_what_a_reply_guesses(words, reply, word):
    if word is None:
        with pytest.raises(gw.UserError):
            read_reply(reply, words)
    else:
        assert read_reply(reply, words).lower() == word.lower()


FORMS = (
    "{}", "{}.", "[{}]", "**{}**", "<guess>{}</guess>", "<guess>{}", "Guess: {}", "Guess 1: {}",
    "My guess: {}.", "Answer: {}.", "**Guess:** {}", "**Guess**: {}", "**Guess:** **{}**",
    "Great!\nGuess: {}.\n\nIt has an **e**.", "<answer><guess>{}</guess></answer>",
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_word_is_read_in_every_form(words, form):
    """Words such as GUESS, which label others, and GOORY, which may be colours, too."""
    listed = [*words.guesses.words[::40], "guess", "goory", "train"]
    assert [read_reply(form.format(word), words) for word in listed] == listed
    shouted = [word.upper() for word in listed]
    assert [read_reply(form.format(word), words) for word in shouted] == shouted


@pytest.mark.parametrize(
    "reply", ["[crane] or [slate]", "<guess>crane</guess><guess>slate</guess>"]
)
def test_a_reply_with_two_guesses_is_refused_with_both(words, reply):
    with pytest.raises(gw.UserError, match="names CRANE and SLATE"):
        read_reply(reply, words)


@pytest.mark.parametrize("feedback", ["squares", "words"])
def test_every_valid_word_is_taken_and_told(game, feedback):
    for word in GUESSES:
        talk = gw.Dialogue(game, "bat", feedback=feedback)
        said = talk.reply(f"<guess>{word}</guess>")
        assert said.startswith(word.upper())
        assert said.endswith("Solved in 1." if word == "bat" else "5 guesses left.")
    told = {"squares": "TAB 🟨🟩🟨", "words": "TAB: T yellow, A green, B yellow"}
    assert said.startswith(told[feedback])


def test_what_is_told_in_squares_is_read_again(words):
    game = gw.load_game()
    talk = gw.Dialogue(game, "guess")
    told = [talk.reply(word) for word in ("salet", "green", "guess")]
    turns = [read_pasted(each, words).turns for each in told]
    wanted = [((w.upper(), game.feedback(w, "guess")),) for w in ("salet", "green", "guess")]
    assert turns == wanted


def test_a_lost_game_scores_its_last_turn_and_tells_the_answer(game):
    talk = gw.Dialogue(game, "sat")
    for word in ("bat", "cat", "fat", "hat", "mat"):
        talk.reply(word)
    said = talk.reply("pat")
    assert said.splitlines() == ["PAT ⬛🟩🟩", "Not solved in 6: it was SAT."]
    score = talk.score()
    assert (score["solved"], score["turns"], len(score["regret_by_turn"])) == (False, 6, 6)
    with pytest.raises(gw.UserError, match="the game is over"):
        talk.reply("sat")


def test_replies_without_a_turn_are_said_and_counted(game):
    talk = gw.Dialogue(game, "sat")
    talk.reply("cat")
    for reply, said in [("dog", "is not one of"), ("chf", "illegal under the hard rule"),
                        ("well, well", "names no guess")]:  # fmt: skip
        assert said in talk.reply(reply)
    score = talk.score()
    assert (score["unknown"], score["illegal"], score["incomplete"]) == (1, 1, 1)
    assert score["turns"] == 1
    for _ in range(3):
        assert not talk.is_over
        talk.reply("dog")
    assert talk.is_over
    assert not talk.is_solved


def test_scores_are_those_of_analyse():
    game = gw.load_game(GUESSES, ANSWERS, rule="hard", max_guesses=0)
    records = [
        {"guesses": ["cat", "bat"], "answer": "bat", "player": "me"},
        {"guesses": "chf chf mps sat", "answer": "sat"},
    ]
    for record, score in zip(records, gw.score(game, records), strict=True):
        guesses = record["guesses"]
        listed = guesses.split() if isinstance(guesses, str) else guesses
        told = gw.analyse(game, listed, record["answer"])
        rows = told.head(10)
        assert score["regret_by_turn"] == [row["regret"] for row in rows]
        assert score["luck_by_turn"] == [row["luck"] for row in rows]
        regret_less_luck = score["total_regret"] - score["total_luck"]
        assert regret_less_luck == pytest.approx(len(listed) - score["start_value"])
    assert (score["contradictions"], score["solved"], score["turns"]) == (1, True, 4)


@pytest.mark.parametrize(("limit", "solved"), [(2, False), (3, True), (0, True)])
def test_a_game_is_solved_within_the_limit(limit, solved):
    game = gw.load_game(GUESSES, ANSWERS, max_guesses=limit)
    (score,) = gw.score(game, {"guesses": "cat fat sat", "answer": "sat"})
    assert (score["solved"], score["turns"], len(score["regret_by_turn"])) == (solved, 3, 3)


def test_games_whose_answer_is_in_no_list_are_named(game, caplog, tmp_path):
    known = {"guesses": ["cat"], "answer": "sat"}
    lost = {"guesses": ["cat"], "answer": "dog", "player": "bob"}
    said = "game 2 of bob: its answer 'dog' is in no list, and it has no colours"
    gw.score(game, [known, lost, {**lost, "patterns": ["BBB"]}])
    assert caplog.messages == [f"without values: {said}"]
    grid = {"player": "eve", "patterns": ["GGG"]}
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(map(json.dumps, [known, lost, grid, *5 * [lost]])))
    remark = gw.analyse(game, games=file).remark
    assert remark.startswith(f"without values: {said}; game 3 of eve: a share grid has no words; ")
    assert remark.endswith("; and 2 more")
    file.write_text(json.dumps(known))
    assert gw.analyse(game, games=file).remark == ""


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"messages": "CAT"}, "game 1: messages 'CAT'; give a list of messages"),
        ({"messages": [5]}, "game 1: messages: 5 is no message; give its role and content"),
        ({"completion": [{"role": 3}]}, "game 1: completion: .* is no message"),
        ({"text": "hm", "answer": "cat", "messages": [5]}, "game 1: messages: 5 is no message"),
    ],
)
def test_wrong_messages_are_refused_by_their_key(game, record, message):
    with pytest.raises(gw.UserError, match=message):
        gw.score(game, record)


def test_messages_are_scored_by_what_was_told_or_by_the_replies(game):
    def messages(told):
        said = [("user", "Play!"), ("assistant", "<guess>cat</guess>"), ("user", told),
                ("assistant", "hm"), ("user", "Please guess."),
                ("assistant", "[sat]")]  # fmt: skip
        return [{"role": role, "content": content} for role, content in said]

    by_reply = gw.score(game, {"messages": messages("C grey, A green"), "answer": "sat"})[0]
    assert (by_reply["turns"], by_reply["solved"], by_reply["unread"]) == (2, True, 1)
    by_told = gw.score(game, {"messages": messages("CAT ⬛🟩🟩"), "answer": "sat"})[0]
    assert (by_told["turns"], by_told["solved"]) == (1, False)


def test_a_record_that_is_no_game_is_named(game):
    with pytest.raises(gw.UserError, match="game 2: it has no guesses"):
        gw.score(game, [{"guesses": "cat", "answer": "bat"}, {}])


def test_the_prompt_holds_the_rules(game):
    said = gw.Dialogue(game).prompt
    for part in ("3 letters", "10 words", "6 guesses", "15 words", "yellow letters must be used"):
        assert part in said
    assert " ".join(ANSWERS).upper() in said
    assert "as in rgb,rgb" not in gw.Dialogue(gw.load_game("mastermind:2x2")).prompt


def test_equal_seeds_hide_equal_words(game):
    drawn = [gw.Dialogue(game, seed=seed).answer for seed in (1, 1, 2, 3, 4, 5)]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
