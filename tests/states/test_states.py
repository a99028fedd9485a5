import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.states.batch import StateBatch, zobrist

some_sets = st.lists(st.sets(st.integers(0, 40), min_size=1), min_size=1, max_size=6)


@given(some_sets, st.randoms())
def test_rows_ascend_and_keys_depend_on_the_set_alone(sets, random):
    shuffled = []
    for s in sets:
        row = list(s)
        random.shuffle(row)
        shuffled.append(row)
    batch = StateBatch.from_sets(shuffled, 41)
    words = zobrist(41)
    for b, s in enumerate(sets):
        assert batch.state(b).tolist() == sorted(s)
        assert batch.keys[b].tolist() == np.bitwise_xor.reduce(words[sorted(s)], axis=0).tolist()
    assert batch.sizes.tolist() == [len(s) for s in sets]


@given(some_sets)
def test_keys_tell_sets_apart(sets):
    batch = StateBatch.from_sets([sorted(s) for s in sets], 41)
    distinct = {tuple(sorted(s)) for s in sets}
    assert len({tuple(key) for key in batch.keys.tolist()}) == len(distinct)


@given(some_sets, st.data())
def test_chunks(sets, data):
    batch = StateBatch.from_sets([sorted(s) for s in sets], 41)
    start = data.draw(st.integers(0, len(batch)))
    stop = data.draw(st.integers(start, len(batch)))
    chunk = batch.chunk(start, stop)
    assert len(chunk) == stop - start
    for b in range(len(chunk)):
        assert chunk.state(b).tolist() == batch.state(start + b).tolist()
        assert chunk.keys[b].tolist() == batch.keys[start + b].tolist()


@given(some_sets, st.data())
def test_states_are_taken_in_any_order(sets, data):
    batch = StateBatch.from_sets([sorted(s) for s in sets], 41)
    places = data.draw(st.lists(st.integers(0, len(batch) - 1), max_size=8))
    taken = batch.take(np.array(places, np.int32))
    assert len(taken) == len(places)
    for t, b in enumerate(places):
        assert taken.state(t).tolist() == batch.state(b).tolist()
        assert taken.keys[t].tolist() == batch.keys[b].tolist()


@pytest.mark.parametrize("bad", [[[]], [[1], []], [[41]], [[-1]]])
def test_bad_sets_are_refused(bad):
    with pytest.raises(ValueError, match="answer"):
        StateBatch.from_sets(bad, 41)


def test_an_empty_batch_has_no_states():
    assert len(StateBatch.from_sets([], 5)) == 0


def test_zobrist_words_are_distinct_and_the_same_everywhere():
    words = zobrist(65_535)
    assert len(np.unique(words)) == words.size
    assert (
        words[0].tolist() == zobrist(3)[0].tolist() == [16294208416658607535, 7960286522194355700]
    )
