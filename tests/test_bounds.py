import numpy as np
from hypothesis import given, settings

import naive
from conftest import random_words
from gpu_wordle import bounds
from naive_solve import NaiveGame


@given(random_words(lengths=(3, 4), most_guesses=12, least_answers=2, most_answers=6))
@settings(max_examples=60)
def test_bounds_never_exceed_the_value(words):
    guesses, answers = list(words.guesses.words), list(words.answers.words)
    patterns = [[naive.pattern(g, a) for g in guesses] for a in answers]
    n = len(answers)
    value = NaiveGame(patterns, [guesses.index(a) for a in answers]).value(tuple(range(n)), n)
    splits = [(len(naive.partition(g, answers)), int(g in answers)) for g in guesses]
    most_parts = max(parts for parts, _ in splits)
    assert bounds.state_lower_bound(n) <= value
    assert min(bounds.guess_lower_bound(n, *split) for split in splits) <= value
    assert bounds.part_lower_bound(n, most_parts) <= value


def test_arrays_give_what_integers_give():
    sizes = np.arange(1, 50)
    assert bounds.part_lower_bound(sizes, np.array(9)).tolist() == [
        bounds.part_lower_bound(int(n), 9) for n in sizes
    ]
    assert bounds.state_lower_bound(sizes).tolist() == [2 * n - 1 for n in range(1, 50)]
