"""Comments of the coach: each sentence is read back, and brute force finds all that it says."""

import random
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle.api import analysing, session
from gpu_wordle.experiments.coach import MEANINGS, comment_on, rounded
from gpu_wordle.experiments.transcripts import Transcript
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.weights import Weights
from support import ROOT, naive
from support.naive_objectives import IMPOSSIBLE, NaiveObjective
from support.output import rows_of
from support.solver_games import family_game, random_game

ENOUGH = 14
"""Guesses in which any of the random games is won, however the first six are wasted."""

NUMBER = r"\d[\d,]*(?:\.\d+)?"
SIZE = rf"(?P<size>a whole guess|(?:less than )?{NUMBER}(?: of a guess| guesses)?)"
MEAN = r"on average(?P<weighted> by weight)?"
LEFT = r"the (?P<count>\d+) words?(?P<mid> left)?"
ASIDE = r"(?P<aside>, so the figures leave this limit aside)?"
WITHIN = r"within (?P<limit>\d+) guess(?:es)?"
LEGAL = r"(?:legal )?guess"
AS_MANY = (
    r"makes as many(?:; its largest has (?P<largest>\d+) words?, not (?P<mine>\d+)"
    r"|(?P<likely>, and can be the answer))?"
)
NEEDS = r"(?:needs?|pays?)"
RIVAL = rf"(?:the best {LEGAL}|(?P<rival>[A-L]+))"


class Turn:
    """What brute force knows about a turn."""

    def __init__(self, game, oracle, free, answers, legal, turn, guess, answer):
        self.game, self.answers, self.legal, self.turn = game, answers, legal, turn
        self.guess, self.answer = guess, answer
        self.is_priced = game.objective.name.startswith("cost")
        self.limit = game.objective.max_guesses
        self.oracle, self.weights = oracle, oracle.weights
        self.is_legal = guess in legal
        self.winners = {g for g in legal if self.is_win(g)}
        self.wins = self.is_win(guess)
        self.is_free = not self.wins and not self.is_priced
        if self.is_free or self.limit is None:
            self.oracle = free
        self.values = {g: self.value_of(g) for g in {*legal, guess}}
        known = [self.values[g] for g in legal if self.values[g] is not None]
        self.best = min(known, default=None)
        self.own = self.values[guess]
        colours = naive.feedback(guess, answer)
        self.part = tuple(word for word in answers if naive.feedback(guess, word) == colours)
        self.next = oracle.rules.legal_after(legal, guess, colours, self.part)

    def is_win(self, guess):
        if self.limit is None or self.turn > self.limit:
            return self.limit is None
        charge = self.oracle.guess_value(self.answers, self.legal, guess, self.turn)
        return charge != IMPOSSIBLE

    def paid(self, turn):
        """The price of a number of turns."""
        if not turn:
            return 0
        return self.game.objective.costs[turn - 1] if self.is_priced else turn

    def per_answer(self, charge, answers, turn):
        weight = sum(self.weights[word] for word in answers)
        if charge == IMPOSSIBLE or not weight:
            return None
        return Fraction(charge[0], weight) - self.paid(turn - 1)

    def value_of(self, guess):
        if self.turn > self.oracle.limit:
            return None
        charge = self.oracle.guess_value(self.answers, self.legal, guess, self.turn)
        return self.per_answer(charge, self.answers, self.turn)

    @property
    def after(self):
        if self.guess == self.answer:
            return Fraction(0)
        if self.turn >= self.oracle.limit:
            return None
        charge = self.oracle.value(self.part, self.next, self.turn + 1)
        return self.per_answer(charge, self.part, self.turn + 1)

    @property
    def regret(self):
        known = self.is_legal and None not in (self.own, self.best)
        return self.own - self.best if known else None

    @property
    def luck(self):
        if None in (self.own, self.after):
            return None
        return self.own - (self.paid(self.turn) - self.paid(self.turn - 1)) - self.after

    @property
    def is_forced(self):
        return self.answers == (self.guess,)

    @property
    def gave_away(self):
        return self.is_legal and not self.wins and bool(self.winners)

    def groups(self, guess):
        return naive.partition(guess, list(self.answers))

    @property
    def label(self):
        if not self.is_legal:
            return None
        if self.gave_away:
            return "blunder"
        if self.regret is None:
            return None
        if self.is_priced:
            return None if self.regret else "best"
        if self.regret == 0:
            return "best"
        steps = (("good", "0.05"), ("inaccuracy", "0.2"), ("mistake", "0.5"))
        fitting = [name for name, most in steps if self.regret <= Fraction(most)]
        return [*fitting, "blunder"][0]

    def marks(self, with_only):
        left = None if self.limit is None else self.limit - self.turn + 1
        found = []
        is_only = self.winners == {self.guess} and left is not None and left <= 3
        if is_only and with_only and self.is_legal and not self.is_forced:
            found.append("only sure one")
        if self.is_forced:
            found.append("forced")
        if not self.is_priced and self.luck is not None and self.luck > Fraction(1, 2):
            found.append("lucky")
        return ", ".join(found) or None


def agrees(shown, value):
    """Whether a number, with its decimals, is a value rounded; and not an exact half."""
    shown = shown.replace(",", "")
    digits = len(shown.partition(".")[2])
    return abs(Fraction(shown) - value) * 10**digits * 2 < 1


def check_size(shown, value, turn):
    """Check a difference with its unit."""
    assert value > 0
    if shown == "a whole guess":
        assert value == 1
        assert not turn.is_priced
        return Fraction(1)
    number = re.search(NUMBER, shown).group()
    assert shown.endswith("guess") == (value < 1 and not turn.is_priced)
    assert shown.endswith("guesses") == (value > 1 and not turn.is_priced)
    if shown.startswith("less than"):
        assert value < Fraction(number)
    else:
        assert agrees(number, value)
        assert Fraction(number.replace(",", "")) > 0
        for bound in map(Fraction, ("0.05", "0.2", "0.5", "1")):  # a label fits what is read
            assert (value > bound) == (Fraction(number.replace(",", "")) > bound)
    return Fraction(number.replace(",", ""))


def same(said, turn, key="word"):
    assert said[key].lower() == turn.guess


def is_word_count(said, turn):
    assert int(said["count"]) == len(turn.answers)
    if "mid" in said:
        assert bool(said["mid"]) == (turn.turn > 1)


def of_best(said, turn):
    same(said, turn)
    assert turn.regret == 0
    assert agrees(said["value"], turn.best)
    assert bool(said["weighted"]) == (turn.game.objective.weights is not None)
    ties = sum(value == turn.best for g, value in turn.values.items() if g in turn.legal) - 1
    if said["others"]:
        assert int(said["others"]) == ties > 0
    elif said["none"]:
        assert ties == 0
    # else it says that none is better, which is so without regret


def of_cost(said, turn):
    same(said, turn)
    same(said, turn, "again")
    cost = check_size(said["size"], turn.regret, turn)
    if said["rival"]:
        assert turn.values[said["rival"].lower()] == turn.best
        assert said["rival"].lower() in turn.legal
    assert agrees(said["best"], turn.best)
    assert agrees(said["own"], turn.own)
    best, own = (Fraction(said[key].replace(",", "")) for key in ("best", "own"))
    assert own - best == cost


def of_sums(said, turn):
    same(said, turn)
    same(said, turn, "again")
    is_word_count(said, turn)
    assert turn.game.objective.weights is None
    best, own = int(said["best"].replace(",", "")), int(said["own"].replace(",", ""))
    assert best == turn.best * len(turn.answers)
    assert own == turn.own * len(turn.answers)
    check_size(said["size"], turn.regret, turn)
    assert int(said["cost"]) == own - best > 0
    if said["rival"]:
        assert turn.values[said["rival"].lower()] == turn.best


def of_bare_cost(said, turn):
    same(said, turn)
    check_size(said["size"], turn.regret, turn)


def of_groups(said, turn):
    is_word_count(said, turn)
    own = turn.groups(turn.guess)
    assert len(own) == int(said.get("own") or 1)
    if said["rival"]:
        other = turn.groups(said["rival"].lower())
        assert turn.values[said["rival"].lower()] == turn.best
        assert len(other) == int(said["other"] or len(own))
        if said["largest"]:
            assert int(said["largest"]) == max(other) != max(own) == int(said["mine"])
        elif not said["other"]:
            assert max(other) == max(own)
            can_be = [each in turn.answers for each in (said["rival"].lower(), turn.guess)]
            assert bool(said["likely"]) == (can_be == [True, False])


def in_limit(said, turn):
    assert int(said["limit"]) == turn.limit
    assert bool(said.get("aside")) == turn.is_free


def given_away(said, turn):
    in_limit(said, turn)
    same(said, turn)
    assert turn.gave_away
    if "sure" in said:
        assert said["sure"].lower() in turn.winners


def only_other(said, turn):
    in_limit(said, turn)
    assert turn.gave_away
    assert turn.winners == {said["sure"].lower()}


def passed(said, turn):
    in_limit(said, turn)
    assert turn.limit < turn.turn


def none_sure(said, turn):
    in_limit(said, turn)
    assert turn.turn <= turn.limit
    assert not turn.winners


def only_sure(said, turn):
    in_limit(said, turn)
    assert turn.winners == {turn.guess}


def of_luck(said, turn):
    is_word_count(said, turn)
    assert bool(said["found"]) == (turn.guess == turn.answer)
    if not said["found"]:
        assert int(said["after"]) == len(turn.part)
    if said["size"]:
        check_size(said["size"], abs(turn.luck), turn)
        assert (said["than"] == "better") == (turn.luck > 0)
    else:
        assert turn.luck == (0 if said["just"] else None)


def illegal(said, turn):
    same(said, turn)
    assert not turn.is_legal
    assert said["rule"] == turn.game.rule


def only_word(said, turn):
    same(said, turn)
    assert turn.answers == (turn.guess,)


def last_guess(said, turn):
    in_limit(said, turn)
    assert turn.limit == turn.turn
    assert len(turn.answers) == 1
    assert turn.gave_away


def one_left(said, turn):
    same(said, turn)
    assert turn.answers == (said["left"].lower(),)
    assert turn.guess != turn.answers[0]
    assert turn.regret == 1


def no_value(said, turn):
    same(said, turn)
    assert turn.regret is None
    assert not turn.wins


def no_weight(said, turn):
    same(said, turn)
    assert not any(turn.weights[word] for word in turn.answers)


SENTENCES = [
    (rf"(?P<word>[A-L]+) {NEEDS} (?P<value>{NUMBER})(?: guess(?:es)?)? {MEAN}; "
     rf"(?:(?P<none>no other {LEGAL} {NEEDS} as)|no {LEGAL} {NEEDS}) (?:few|fewer|less|little)"
     rf"(?:, and (?P<others>\d+) others? {NEEDS} as (?:few|little))?\.", of_best),
    (rf"(?P<word>[A-L]+) cost {SIZE}: {RIVAL} {NEEDS} (?P<best>{NUMBER}) {MEAN}, "
     rf"(?P<again>[A-L]+) (?P<own>{NUMBER})\.", of_cost),
    (rf"(?P<word>[A-L]+) cost {SIZE}, or (?P<cost>\d+) over {LEFT}: {RIVAL} {NEEDS} "
     r"(?P<best>[\d,]+) in all, (?P<again>[A-L]+) (?P<own>[\d,]+)\.", of_sums),
    (rf"(?P<word>[A-L]+) cost {SIZE} {MEAN}\.", of_bare_cost),
    (rf"It splits {LEFT} into (?P<own>\d+) groups?"
     rf"(?:[;,] (?P<rival>[A-L]+) (?:{AS_MANY}|into (?P<other>\d+)))?\.", of_groups),
    (rf"It tells none of {LEFT} apart"
     rf"(?:; (?P<rival>[A-L]+) (?:{AS_MANY}|makes (?P<other>\d+) groups? of them))?\.", of_groups),
    (rf"(?P<sure>[A-L]+) was a sure win {WITHIN}, (?P<word>[A-L]+) was not{ASIDE}\.", given_away),
    (rf"(?P<word>[A-L]+) gave a sure win {WITHIN} away{ASIDE}\.", given_away),
    (rf"Only (?P<sure>[A-L]+) was a sure win {WITHIN}{ASIDE}\.", only_other),
    (rf"No {LEGAL} was a sure win {WITHIN}{ASIDE}\.", none_sure),
    (rf"No other {LEGAL} was a sure win {WITHIN}\.", only_sure),
    (rf"The limit of (?P<limit>\d+) guess(?:es)? was passed before{ASIDE}\.", passed),
    (r"(?:(?P<found>It was the answer, 1 of)|Its feedback left (?P<after>\d+) of) "
     rf"(?P<count>\d+) words(?:, (?:(?P<just>just as expected)|{SIZE} (?P<than>better|worse) than "
     r"expected))?\.", of_luck),
    (r"(?P<word>[A-L]+) is illegal under the (?P<rule>[a-z-]+) rule, so its cost is not counted\.",
     illegal),
    (r"(?P<word>[A-L]+) was the only word left\.", only_word),
    (rf"It was the last of (?P<limit>\d+) guess(?:es)?{ASIDE}\.", last_guess),
    (r"Only (?P<left>[A-L]+) was left, so (?P<word>[A-L]+) cost a whole guess\.", one_left),
    (r"After (?P<word>[A-L]+) a win is not sure, so it has no value\.", no_value),
    (r"All that is left has weight zero, so (?P<word>[A-L]+) has no value\.", no_weight),
]  # fmt: skip
"""Each form of a sentence, and the check of all that it says."""


def read_back(coach, turn):
    """Check each sentence of a comment."""
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", coach):
        found = [(re.fullmatch(form, sentence), check) for form, check in SENTENCES]
        ((said, check),) = [each for each in found if each[0]]
        check(said.groupdict(), turn)


def played(game, rng):
    """Guesses against an answer, some illegal; and the answer."""
    words = game.words.guesses.words
    hidden = rng.choice(game.words.answers.words)
    made, position = [], game.start()
    for _ in range(6):
        guess = rng.randrange(len(words))
        if rng.random() < 0.9:
            legal = np.flatnonzero(position.choices).tolist()
            guess = rng.choice(legal)
            if rng.random() < 0.5:
                seen = game.patterns.values[position.state]
                guess = max(legal, key=lambda g: len(np.unique(seen[:, g])))
        made.append(words[guess])
        if words[guess] == hidden:
            break
        seen = game.words.feedback.parse(naive.feedback(words[guess], hidden))
        position = position.after(guess, seen)
    return made, hidden


def drawn(seed, rule, aim):
    """A random game with an objective and perhaps weights, and a game that was played in it."""
    rng = np.random.default_rng(seed)
    if rng.random() < 0.5:
        game = random_game(rng, most_answers=6, most_guesses=9, lengths=(2, 4), rule=rule)
    else:
        game = family_game(rng, rule=rule, answers=5, guesses=9)
    limit = [None, 2, 3, 4, 6][rng.integers(5)]
    if aim == "cost":
        limit = limit or 5
        aim += ":" + ",".join(map(str, np.cumsum(rng.choice([0, 1, 1, 2, 7], limit))))
    weights = None
    if rng.random() < 0.4:
        each = rng.integers(0, [5, 100_000][rng.integers(2)], game.answer_count)
        each[rng.random(len(each)) < 0.3] //= 50_000
        each[rng.integers(len(each))] += 1
        weights = Weights(tuple(each.tolist()))
    objective = Objective.parse(aim, limit, weights)
    return Game(game.words, game.patterns, rule, objective), *played(game, random.Random(seed))


def turns_of(game, made, hidden):
    """What brute force knows about each turn."""
    words, answers = game.words.guesses.words, game.words.answers.words
    weights = game.objective.weights
    each = (1,) * len(answers) if weights is None else weights.of_answer
    of_word = dict(zip(answers, each, strict=True))
    limit = game.objective.max_guesses or ENOUGH
    aim = game.objective.name if game.objective.costs else "mean"
    oracle = NaiveObjective(words, game.rule.value, aim, limit, of_word)
    free = NaiveObjective(words, game.rule.value, "mean", ENOUGH, of_word)
    legal = frozenset(answers if game.rule is Rule.CANDIDATES else words)
    for number, guess in enumerate(made, start=1):
        turn = Turn(game, oracle, free, answers, legal, number, guess, hidden)
        yield turn
        answers, legal = turn.part, turn.next


@pytest.mark.slow
@settings(max_examples=80)
@example(427, Rule.CANDIDATES, "mean,worst")  # the only sure ones, which are rare
@example(477, Rule.HARD, "cost")
@example(510, Rule.ULTRA_HARD, "mean")
@example(564, Rule.NORMAL, "mean")
@example(71, Rule.CANDIDATES, "mean")  # luck that is rounded to nothing
@example(131, Rule.CANDIDATES, "mean")  # as many groups, and a smaller largest one
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(list(Rule)),
    st.sampled_from(["mean", "mean", "mean,worst", "cost"]),
)
def test_no_sentence_says_what_the_numbers_do_not(seed, rule, aim):
    game, made, hidden = drawn(seed, rule, aim)
    transcript = Transcript(tuple((word, None) for word in made), hidden)
    opened = session.open_session(game.start(), session.Machine("cpu", 1))
    analysed, rows = analysing.analyse_one(opened, transcript)
    for row, step, turn in zip(rows, analysed.steps, turns_of(game, made, hidden), strict=True):
        alone = comment_on(step, game.objective.max_guesses)
        assert row["label"] == turn.label == alone.label
        assert row["marks"] == turn.marks(with_only=True)
        assert (", ".join(alone.marks) or None) == turn.marks(with_only=False)
        read_back(row["coach"], turn)
        read_back(" ".join(alone.sentences), turn)


def test_a_number_is_rounded_only_where_all_round_alike():
    assert rounded(Fraction(2, 3), 2) == "0.67"
    assert rounded(Fraction(5001, 2), 3) == "2,500.500"
    assert rounded(Fraction(1, 8), 2) is None
    assert rounded(Fraction(1, 8), 3) == "0.125"
    assert rounded(Fraction(1, 300), 2) == "0.00"


def test_figures_that_do_not_add_up_are_told_as_sums():
    """5/3 and 7/3 differ by 2/3, and no rounding of these three adds up."""
    answers = ["abc", "bda", "ceb"]
    (row,) = gw.analyse(gw.load_game([*answers, "dff"], answers), ["dff"], "abc")
    assert row["coach"] == (
        "DFF cost 0.67 of a guess, or 2 over the 3 words: ABC needs 5 in all, DFF 7. It "
        "splits the 3 words into 2 groups, ABC into 3. Its feedback left 2 of 3 words, 0.17 of a "
        "guess worse than expected."
    )


def test_turns_that_have_no_value_are_told_too(run):
    lines = [
        '{"guesses": "qqq chf rat", "patterns": "BBB GBB BBB"}',
        '{"guesses": ["rat", "cat"], "patterns": ["BGG", "?"]}',
        '{"guesses": ["rat", "chf"], "answer": "cat"}',
    ]
    Path("g.jsonl").write_text("\n".join(lines))
    run("analyse", "--games", "g.jsonl", "--rule", "hard", "--out", "o.jsonl", "--quiet")
    said = Path("o.jsonl").read_text()
    for sentence in (
        "QQQ isn't in the word list, so it took no turn.",
        "The colours of RAT contradict the turns before or the answer.",
        "so it has no value.",
        "CHF is illegal under the hard rule, so its cost is not counted.",
    ):
        assert sentence in said


def test_what_time_has_left_open_is_not_told(run):
    asked = ["analyse", "chf", "rat", "cat", "--answer", "cat", "--threads", 1]
    rows = rows_of(run(*asked, "--time-limit", "0.000001", "--json"))
    assert {row["label"] for row in rows} == {None}
    assert rows[0]["coach"].startswith("Not all values of this turn were found in time. It splits")


def test_terminals_show_the_comments(run):
    asked = ["analyse", "chf", "rat", "cat", "--answer", "cat"]
    shown = " ".join(run(*asked).split())
    for row in rows_of(run(*asked, "--json")):
        assert f"{row['label'].capitalize()}" in shown
        assert row["coach"] in shown


def test_the_pages_state_the_thresholds():
    page = ROOT.joinpath("docs/howto/analyse.md").read_text("utf-8")
    for name, meaning in MEANINGS.items():
        assert f"| {name} | {meaning} |" in page
