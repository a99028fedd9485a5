"""The keys of machine output: each name means one thing, and has one type, in every verb.

``docs/formats/output.md`` holds the same table, and a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SCHEMA = 2
"""Version of the schema. It is raised when a key is renamed or removed, or changes its type."""


class Kind(StrEnum):
    """What the values of a key are; any of them may be unknown, which is null."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "whole number, or decimal where answers have decimal weights"
    DECIMAL = "decimal"
    TRUTH = "true or false"
    COUNTS = "list of whole numbers"
    DECIMALS = "list of decimals"
    TEXTS = "list of texts"
    OBJECT = "object"


@dataclass(frozen=True)
class Key:
    """What the values of a key are, and what they mean."""

    kind: Kind
    meaning: str


_ENVELOPE = {
    "schema": Key(Kind.WHOLE, "version of this schema"),
    "program": Key(Kind.OBJECT, "`name` and `version` of the program"),
    "verb": Key(Kind.TEXT, "the verb that was called"),
    "game": Key(
        Kind.OBJECT,
        "`guess_list`, `answer_list`, `guess_count`, `answer_count`, `feedback`, `guesses_sha256`, "
        "`answers_sha256`",
    ),
    "rule": Key(Kind.TEXT, "which guesses are legal"),
    "objective": Key(Kind.TEXT, "what is to be least"),
    "max_guesses": Key(Kind.WHOLE, "guesses that there are; null for any number"),
    "weights": Key(Kind.TEXT, "where the weights of the answers come from; null if all are equal"),
    "state": Key(Kind.TEXT, "guesses made and their feedback; empty at the start"),
    "answers": Key(Kind.WHOLE, "answers that are possible"),
    "weight": Key(Kind.NUMBER, "their weight; their number if all are equal"),
}

_OPENERS = {
    "opener": Key(Kind.TEXT, "the next guess; at the start of a game, the first"),
    "is_candidate": Key(Kind.TRUTH, "whether it can be the answer"),
    "status": Key(Kind.TEXT, "`exact`, `infeasible` or `bounded`"),
    "exact": Key(Kind.TRUTH, "whether the value is known, or that there is none"),
    "infeasible": Key(Kind.TRUTH, "whether no strategy finds every answer in time"),
    "value": Key(Kind.WHOLE, "the value as the search knows it, one integer for all aims"),
    "within": Key(Kind.NUMBER, "answers found within the turns asked for, by weight"),
    "failures": Key(Kind.NUMBER, "answers not found in time, by weight"),
    "cost": Key(Kind.NUMBER, "sum of the prices of the turns, by weight"),
    "mean_cost": Key(Kind.DECIMAL, "the same of an answer on average"),
    "total": Key(Kind.NUMBER, "guesses over all answers, by weight"),
    "mean": Key(Kind.DECIMAL, "guesses of an answer on average"),
    "worst": Key(Kind.WHOLE, "turn on which the last answer is found"),
    "solvable": Key(Kind.NUMBER, "most answers that can be found in time, by weight"),
    "distribution": Key(Kind.COUNTS, "answers found on turn 1, 2, ..."),
    "lower": Key(
        Kind.WHOLE,
        "proven lower bound of the value, or of the least one; null if there is no strategy",
    ),
    "upper": Key(
        Kind.WHOLE, "value of a known strategy, or of the best one; null if none is known"
    ),
    "height": Key(Kind.WHOLE, "guesses on the longest path of the strategy"),
    "expanded": Key(Kind.WHOLE, "states that the search expanded"),
    "seconds": Key(Kind.DECIMAL, "CPU time of the search; of a proof, time that passed"),
    "guaranteed": Key(Kind.TRUTH, "whether every answer can surely be found in time"),
    "fate": Key(Kind.TEXT, "how a guess fared in a proof; see `fates`"),
}

_STATISTICS = {
    "entropy_bits": Key(Kind.DECIMAL, "Shannon entropy of the pattern, bits"),
    "weighted_entropy_bits": Key(Kind.DECIMAL, "the same when answers are drawn by weight, bits"),
    "standard_deviation": Key(Kind.DECIMAL, "of the sizes of the parts, empty ones too"),
    "parts": Key(Kind.WHOLE, "patterns that occur"),
    "max_part": Key(Kind.WHOLE, "answers in the largest part"),
    "expected_part_size": Key(Kind.DECIMAL, "answers expected to remain"),
    "lower_bound": Key(Kind.WHOLE, "bound on the total by the number of parts"),
    "greens": Key(Kind.WHOLE, "green tiles over all answers"),
    "yellows": Key(Kind.WHOLE, "yellow tiles over all answers"),
    "coloured_tiles": Key(Kind.DECIMAL, "green and yellow tiles, on average over the answers"),
    "common_characters": Key(Kind.WHOLE, "answers that hold a letter, over the letters"),
    "pattern": Key(Kind.TEXT, "feedback, as it is written"),
    "part_size": Key(Kind.WHOLE, "answers behind a pattern"),
    "patterns": Key(Kind.WHOLE, "patterns that feedback can show"),
}

_PROOFS = {
    "best": Key(Kind.TEXTS, "the best guesses; of a proof that is not complete, so far"),
    "complete": Key(Kind.TRUTH, "whether every guess is settled"),
    "fates": Key(Kind.OBJECT, "how many guesses fared how; `earlier`: refuted by an earlier run"),
    "verified": Key(Kind.TRUTH, "always true: what does not hold is an error"),
    "exact_openers": Key(Kind.WHOLE, "openers of a ranking whose value is exact"),
    "infeasible_openers": Key(Kind.WHOLE, "those that cannot surely win"),
    "solved_again": Key(Kind.WHOLE, "those that were solved again and replayed"),
}

_STRATEGIES = {
    "strategy": Key(Kind.TEXT, "how the game is played after the opener"),
    "lost": Key(Kind.WHOLE, "answers not found within the guess limit"),
    "exact_total": Key(Kind.NUMBER, "total of the best strategy with that opener, if it is known"),
    "gap": Key(Kind.NUMBER, "by how much the total is more"),
    "exact_status": Key(
        Kind.TEXT,
        "`exact`; `infeasible`, where no strategy surely wins in time; or `unknown`, where it was "
        "not worked out",
    ),
    "hardest_games": Key(
        Kind.TEXTS,
        "the longest games, as in `fuzzy:salet+corny+fuzzy`: the answer and the guesses; null if "
        "they were not asked for",
    ),
    "explained": Key(Kind.TEXTS, "the game of `--explain`, a line for each turn"),
}

_PAIRS = {
    "fixed": Key(Kind.TEXTS, "guesses that are fixed in advance, in their order"),
    "first": Key(Kind.TEXT, "the first of them"),
    "second": Key(Kind.TEXT, "the second"),
    "third": Key(Kind.TEXT, "the third; null where there are two"),
    "fourth": Key(Kind.TEXT, "the fourth; null where there are two or three"),
    "fifth": Key(Kind.TEXT, "the fifth; null where there are fewer"),
    "sixth": Key(Kind.TEXT, "the sixth; null where there are fewer"),
    "singles": Key(Kind.WHOLE, "answers that are alone in their joint part"),
    "most_lower": Key(
        Kind.DECIMAL,
        "most parts, bits or answers alone that an opening of so many guesses was found to make",
    ),
    "most_upper": Key(Kind.DECIMAL, "what none of them can exceed"),
    "proven": Key(Kind.TRUTH, "whether all that are not shown are proven to be no better"),
    "pair_count": Key(Kind.WHOLE, "pairs that were counted"),
    "histogram": Key(
        Kind.COUNTS, "how many pairs make 0, 1, 2, ... parts, or have so many tenths of bits"
    ),
}

_NOISE = {
    "level_percent": Key(Kind.DECIMAL, "level of noise, percent"),
    "run": Key(Kind.WHOLE, "number of a run, from 0; each has draws of its own"),
    "first_departure_percent": Key(
        Kind.DECIMAL, "level at which the run first leaves the optimum; null if that is not found"
    ),
    "bound_percent": Key(
        Kind.DECIMAL,
        "level below which noise provably costs nothing; null if it never does",
    ),
    "depth": Key(Kind.WHOLE, "guesses made when values are noisy, the opener among them"),
    "seed": Key(Kind.WHOLE, "seed of all draws"),
    "noise": Key(Kind.TEXT, "how draws are distributed: `uniform`, `gaussian` or `one-sided`"),
    "small": Key(Kind.TEXT, "which small states are noisy: `noisy`, `exact` or `singles-exact`"),
    "limit": Key(Kind.TEXT, "whether values know the guess limit: `kept` or `dropped`"),
    "draws": Key(Kind.TEXT, "what has a draw of its own: `state` or `visit`"),
    "per": Key(Kind.TEXT, "what levels are percentages of: `value`, `answer` or `state`"),
    "after": Key(Kind.TEXT, "how play goes on after the noisy depth: `optimal` or `noisy`"),
}

_LEARNING = {
    "episodes": Key(Kind.WHOLE, "games learned from so far"),
    "won_learning": Key(Kind.DECIMAL, "share won of the games since the row before"),
    "found_in_time": Key(Kind.WHOLE, "answers that the table's best guesses find in time"),
    "states_visited": Key(Kind.WHOLE, "states in which a guess was tried"),
    "pairs_tried": Key(Kind.WHOLE, "guesses tried, each in each state"),
}

_SUGGESTIONS = {
    "guess": Key(Kind.TEXT, "the guess of a turn"),
    "by": Key(Kind.TEXT, "what the row is listed by"),
    "optimal": Key(Kind.TRUTH, "whether no guess is better"),
    "candidate": Key(Kind.TRUTH, "whether the guess can be the answer"),
    "chance": Key(Kind.DECIMAL, "how likely it is the answer"),
    "remaining": Key(Kind.TEXTS, "the answers that are possible"),
}

_ANALYSES = {
    "turn": Key(Kind.WHOLE, "number of the turn; null of a guess that is in no list"),
    "answers_before": Key(Kind.WHOLE, "answers possible before the turn"),
    "answers_after": Key(Kind.WHOLE, "answers possible after it; the answer that is found is one"),
    "value_before": Key(Kind.DECIMAL, "guesses of an answer on average from there on, at best"),
    "value_best": Key(Kind.DECIMAL, "the same by the best guesses, which is equal"),
    "value_guess": Key(Kind.DECIMAL, "the same by the guess made; null if it may lose"),
    "value_after": Key(Kind.DECIMAL, "the same after the feedback"),
    "regret": Key(Kind.DECIMAL, "`value_guess` less `value_best`"),
    "luck": Key(Kind.DECIMAL, "`value_guess` less the guess, less `value_after`"),
    "value_before_fraction": Key(Kind.TEXT, "exactly: the total by the answers"),
    "value_best_fraction": Key(Kind.TEXT, "exactly: the total by the answers"),
    "value_guess_fraction": Key(Kind.TEXT, "exactly: the total by the answers"),
    "value_after_fraction": Key(Kind.TEXT, "exactly: the total by the answers"),
    "regret_fraction": Key(Kind.TEXT, "exactly: the difference of totals by the answers"),
    "luck_fraction": Key(Kind.TEXT, "exactly, in lowest terms"),
    "fault": Key(Kind.TEXT, "`unknown`, `illegal` or `contradictory`; null if all is well"),
    "optimal_guesses": Key(Kind.TEXTS, "all the best guesses, those first that can be the answer"),
    "rule_guesses": Key(Kind.TEXTS, "what greedy rules would have played, as in `parts:crony`"),
    "solved": Key(Kind.TRUTH, "whether the answer was found"),
    "length": Key(Kind.WHOLE, "guesses that were made"),
    "start_value": Key(Kind.DECIMAL, "guesses that the best play takes on average"),
    "total_regret": Key(Kind.DECIMAL, "sum of the regrets of a game"),
    "total_luck": Key(Kind.DECIMAL, "sum of the luck of a game"),
    "skill": Key(Kind.DECIMAL, "1 less the regrets by the turns, in guesses"),
    "answers_left": Key(Kind.WHOLE, "answers that agree with a share chart and its opener"),
    "openers": Key(Kind.WHOLE, "first guesses that agree with a share chart"),
    "consistent_games": Key(Kind.TEXT, "games that agree with a share chart, in digits"),
    "game_number": Key(Kind.WHOLE, "place of a game in its file"),
    "player": Key(Kind.TEXT, "who played; empty if that is not said"),
    "games": Key(Kind.WHOLE, "games of a player"),
    "solved_games": Key(Kind.WHOLE, "those in which the answer was found"),
    "turns": Key(Kind.WHOLE, "guesses in all of them"),
    "mean_regret": Key(Kind.DECIMAL, "regret of a turn on average"),
    "regret_by_turn": Key(Kind.DECIMALS, "the same of turn 1, 2, ..."),
    "mean_luck": Key(Kind.DECIMAL, "luck of a game on average"),
    "unvalued": Key(Kind.WHOLE, "turns without a value, for the game might be lost"),
    "unknown": Key(Kind.WHOLE, "guesses that are in no list"),
    "illegal": Key(Kind.WHOLE, "guesses that the rule forbids"),
    "contradictory": Key(Kind.WHOLE, "turns whose feedback no answer gives, or cannot be read"),
}

_INTERVALS = {
    "value_best_lower": Key(Kind.DECIMAL, "the least that `value_best` can be"),
    "value_best_upper": Key(Kind.DECIMAL, "the most; null if nothing bounds it"),
    "value_guess_lower": Key(Kind.DECIMAL, "the least that `value_guess` can be"),
    "value_guess_upper": Key(Kind.DECIMAL, "the most; null if nothing bounds it"),
    "value_after_lower": Key(Kind.DECIMAL, "the least that `value_after` can be"),
    "value_after_upper": Key(Kind.DECIMAL, "the most; null if nothing bounds it"),
    "regret_lower": Key(Kind.DECIMAL, "the least that `regret` can be"),
    "regret_upper": Key(Kind.DECIMAL, "the most; null if nothing bounds it"),
    "luck_lower": Key(Kind.DECIMAL, "the least that `luck` can be; null if nothing bounds it"),
    "luck_upper": Key(Kind.DECIMAL, "the most; null if nothing bounds it"),
}

_COMPARED = {
    "pairs": Key(Kind.WHOLE, "pairs of first guess and answer that each strategy played"),
    "agreements": Key(
        Kind.OBJECT,
        "games by who played the same: `=` joins strategies that did, `/` parts those that did not",
    ),
    "all_same": Key(Kind.WHOLE, "games that all strategies played alike, guess by guess"),
    "all_different": Key(Kind.WHOLE, "games that no two strategies played alike"),
    "means": Key(Kind.OBJECT, "guesses of a game on average, by strategy"),
    "lines": Key(Kind.OBJECT, "the guesses of the only game, by strategy; null if there are more"),
    "other": Key(Kind.TEXT, "the strategy that it is compared with"),
    "same_games": Key(Kind.WHOLE, "games that both played alike"),
    "same_length": Key(Kind.WHOLE, "games that took both as many guesses"),
    "shorter": Key(Kind.WHOLE, "games that took the strategy fewer guesses than the other"),
    "longer": Key(Kind.WHOLE, "games that took it more guesses"),
    "predictor": Key(Kind.TEXT, "what openers are ranked by"),
    "ranked_openers": Key(Kind.WHOLE, "openers of which both this and the exact total are known"),
    "kendall": Key(Kind.DECIMAL, "tau-b of that ranking and the exact one; 1 where they agree"),
    "spearman": Key(Kind.DECIMAL, "the same of the ranks"),
    "favourite": Key(Kind.TEXT, "the opener that is ranked first"),
    "regret_of_1": Key(Kind.NUMBER, "its exact total less the least one"),
    "regret_of_10": Key(Kind.DECIMAL, "the same on average over the first ten"),
    "regret_of_100": Key(Kind.DECIMAL, "the same over the first hundred"),
}

_REPRODUCED = {
    "item": Key(Kind.TEXT, "a table or figure of a document, by the name that reproduce takes"),
    "title": Key(Kind.TEXT, "what it shows"),
    "document": Key(Kind.TEXT, "where it is printed"),
    "slow": Key(Kind.TRUTH, "whether it is only computed when it is asked for by name"),
    "what": Key(Kind.TEXT, "what a figure tells"),
    "published": Key(Kind.TEXT, "as it is printed there; null if it is not"),
    "computed": Key(Kind.TEXT, "as it comes out here, to as many digits"),
    "difference": Key(Kind.DECIMAL, "computed less published; null for words"),
    "verdict": Key(Kind.TEXT, "`same`, `within range`, `explained`, `differs` or `not printed`"),
    "explanation": Key(Kind.TEXT, "why they differ, or what else is to be known"),
    "verdicts": Key(Kind.OBJECT, "how many figures compare how"),
}

_WEB = {
    "guesses_left": Key(Kind.WHOLE, "guesses that are left; null for any number"),
    "statistics": Key(Kind.OBJECT, "all statistics of a guess, each by its own key"),
    "target": Key(Kind.TEXT, "the answer that strategies are watched at"),
    "tied": Key(Kind.WHOLE, "guesses that the strategy holds as good; null if it does not tell"),
    "tied_guesses": Key(Kind.TEXTS, "the first of them"),
    "considered": Key(Kind.TEXTS, "the best guesses by the strategy, the best first"),
    "considered_worth": Key(Kind.DECIMALS, "the statistic that it rates each of them by"),
    "over": Key(Kind.TRUTH, "whether there is nothing more to guess"),
    "answer": Key(Kind.TEXT, "what was hidden; null before the end of the game"),
    "keyboard": Key(Kind.OBJECT, "the best colour that each letter has had: `G`, `Y` or `B`"),
    "node": Key(
        Kind.OBJECT,
        "a guess of a tree: `guess`, `answers`, `total`, `worst`, and `parts` with `pattern`, "
        "`part_size`, `remaining` and `node`",
    ),
    "address": Key(Kind.TEXT, "where the page is served"),
    "site_files": Key(Kind.WHOLE, "files of a static site"),
}

_MERGED = {
    "merged_files": Key(Kind.TEXTS, "files whose rankings were put together"),
    "bounded_openers": Key(Kind.WHOLE, "openers of a ranking whose value is not known yet"),
}

_REPORTS = {
    "out": Key(Kind.TEXT, "the file that was written"),
    "bytes": Key(Kind.WHOLE, "its size"),
    "chapter": Key(Kind.TEXT, "what a part of a report is on"),
    "section": Key(Kind.TEXT, "its heading"),
    "tables": Key(Kind.TEXTS, "tables that it holds"),
    "figures": Key(Kind.TEXTS, "figures that it holds"),
    "figure": Key(Kind.TEXT, "a figure, by the name that plot takes"),
    "of": Key(Kind.TEXT, "the files that have it, or the file that it was drawn from"),
    "shows": Key(Kind.TEXT, "what it shows"),
}

_INSTALLATION = {
    "list": Key(Kind.TEXT, "name of a word list"),
    "guess_count": Key(Kind.WHOLE, "its guesses"),
    "answer_count": Key(Kind.WHOLE, "its answers"),
    "description": Key(Kind.TEXT, "what it is"),
    "licence": Key(Kind.TEXT, "under which it stands"),
    "guesses_sha256": Key(Kind.TEXT, "identity of the guesses"),
    "answers_sha256": Key(Kind.TEXT, "identity of the answers"),
    "versions": Key(Kind.OBJECT, "versions of Python and of the libraries"),
    "system": Key(Kind.TEXT, "operating system"),
    "cpu": Key(Kind.TEXT, "processor"),
    "cuda": Key(Kind.TEXT, "CUDA device, or why there is none"),
    "cache": Key(Kind.TEXT, "cache folder and what it holds"),
    "machine_code": Key(Kind.TEXT, "folder of the machine code of this version and processor"),
    "compiled": Key(Kind.WHOLE, "functions of machine code that were compiled"),
    "folder": Key(Kind.TEXT, "where they lie"),
}

KEYS: dict[str, Key] = {
    **_ENVELOPE,
    **_OPENERS,
    **_STATISTICS,
    **_PROOFS,
    **_STRATEGIES,
    **_PAIRS,
    **_NOISE,
    **_LEARNING,
    **_SUGGESTIONS,
    **_ANALYSES,
    **_INTERVALS,
    **_COMPARED,
    **_REPRODUCED,
    **_WEB,
    **_MERGED,
    **_REPORTS,
    **_INSTALLATION,
}
"""Every key of machine output; those of the envelope first."""

ENVELOPE = tuple(_ENVELOPE)
"""The keys that stand in every JSON document, in their order."""
