"""The arrays of the search under the rules without constraints, and what they hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Workspace(NamedTuple):
    """Arrays of one thread, and those that it shares; A answers, G guesses, padded to vectors.

    Attributes:
        answers: int32[...], arena of states: index of the answer.
        pos: int32[...], arena of states: where a row holds the answer's own column.
        rows: int64[...], arena of states: address of the answer's row.

        guess: int32[...], arena of columns: index of the guess.
        ceiling: int32[...], arena of columns: most parts on the state it was counted on.
        excess: int32[...], arena of columns: see least_excess in states/bounds.py, on that state.
        one_ply: int64[...], arena of columns: bound on the value of the guess, on that state.
        proven: int64[...], arena of columns: what the guess costs at least without a limit, as far
            as a search has found out.
        self_row: int32[...], arena of columns: which answer of the state it is, or -1.
        source: int64[...], arena of columns: offset of the column in a row.
        heap: uint64[...], arena of columns: what is still to be tried, see ordering.py.
        rank: uint64[...], arena of columns: sort key, see ordering.py.
        matrix: int64[..., 8], arena of columns: of the matrix whose columns begin there, the fields
            named above. They are what labels would have saved so far, where the state that it was
            made for lies and its size, the addresses of matrix and overlaps, and their number. Then
            the name of its list, two words; zeros are that of the game's matrix.
        byte_end: int64[1], end of the arena of matrices, an address.

        parts: int64[..., PART_FIELDS], arena of parts, with the fields of arenas.py.
        tally: int32[PATTERNS], scratch of a split: sizes of parts; all zero between uses.
        start: int32[PATTERNS], scratch of a split: where parts lie.
        labels: uint8[A], scratch of a split: the label of each answer.
        found: int32[PATTERNS + 1], scratch of a split: the labels that occur.
        seen: uint64[PATTERNS + 1], scratch: when each pattern was seen last, and the time.
        square: uint8[...], scratch: patterns of the answers of a part among themselves.
        square_rows: int64[...], addresses of the rows of ``square``.
        slices: uint64[...], scratch of sliced.py.

        first_seen: uint32[LANES * PATTERNS], scratch of measures.py.
        entries: uint32[2 * LANES], scratch of measures.py.
        randoms: uint64[A], shared: a random number for each place in a state.
        part_bytes: uint8[G], parts of each column, of states that are small enough.
        column_parts: uint32[G], parts of each column.
        column_pairs: uint32[G], pairs of answers that each column leaves together.
        hash_0: uint32[G], low word of the hash of each column's partition.
        hash_1: uint32[G], high word.
        move_columns: int32[G], scratch of move generation: columns that are kept.
        slots: int32[...], scratch of move generation: a hash table of columns.
        others: int32[A], scratch of move generation: further candidates.
        member: int32[A], scratch: places of the answers in a state, from 1; zero between uses.
        late: int64[A + 1], scratch of move generation: what 0, 1, ... answers pay for the third
            guess.

        guess_letters: uint8[G, L], shared: letters of the guesses, numbered; none for games
            without letters.
        answer_letters: uint8[A, L], shared: letters of the answers.
        repeats: bool[G], shared: whether a guess has a letter more than once.
        question_random: uint64[Q], shared: a random number for each question of dominance.py.
        question_count: int32[Q], scratch of dominance.py: answers that say yes.
        live: uint64[Q], scratch of dominance.py: the number of a live question, 0 of a dead one.
        live_first: uint64[Q], scratch of dominance.py: the same for a letter that does not repeat.
        letter_is_live: bool[16], scratch of dominance.py.
        question_hash: uint64[G], scratch of dominance.py: hash of the live questions of a guess.
        question_filter: uint64[...], scratch of dominance.py: a filter of such hashes, a bit each.
        subset_hash: uint64[64], scratch of dominance.py: hashes of the subsets of one guess.

        lists: int64[MAX_KEPT_LISTS, 4], what kept_lists.py keeps: answers of the state, 0 if
            there is none, columns, and where the matrix begins and ends. Their columns lie in the
            arena of columns after those of the game.
        list_answers: int32[MAX_KEPT_LISTS, A], the states of these lists.
        list_names: uint64[MAX_REMEMBERED, 2], names of the lists that kept_lists.py remembers.
        list_begins: int64[MAX_REMEMBERED], where they begin, counted from the first word ever.
        list_words: uint64[...], ring of these lists: of each, how many columns are tried and how
            many there are, then the columns.
        list_end: int64[1], words of lists so far.
        ring: int64[4], addresses of the memory for the matrices that are kept and of the next one,
            and the next place in ``lists``.
        game_rows: int64[3], where the rows of the game's matrix begin, the bytes of one, and the
            first column in it.
        game_column: int64[G], shared: the column of each guess in the game's matrix.
        columns: uint64[C], shared: a bit for each column of the game's matrix; C is a multiple of
            eight.
        alive: uint64[LEVELS, C], scratch of nogoods.py: by the guesses left, the columns of the
            game's matrix that are not refuted yet.
        refuted: uint64[LEVELS, MAX_NOGOODS + 1, C], the columns that leave the answers of a nogood
            together; number 0 is what is not kept.
        core: bool[A], scratch of nogoods.py: which answers of a state are in its core.
        covering: int32[MAX_COVERING], scratch of nogoods.py: nogoods within a core.
        nogoods: int32[LEVELS, MAX_NOGOODS + 1, MAX_NOGOOD_SIZE], answers that cannot be won, by the
            guesses with which they are lost; nogoods are numbered from 1.
        nogood_sizes: int32[LEVELS, MAX_NOGOODS + 1], how many each nogood holds.
        nogood_of_answer: int32[LEVELS, A], the last nogood that hangs on an answer, 0 if there is
            none.
        nogood_after: int32[LEVELS, MAX_NOGOODS + 1], the one before it on the same answer, or 0.
        nogoods_on_answer: int32[LEVELS, A], how many hang on an answer.
        won: uint64[MAX_WON], hashes of states that were seen to be won, with the guesses left.
        tries_left: int64[1], scratch of fates.py: guesses that may still be looked at.
        nogoods_made: int64[LEVELS], how many are kept.

        counters: int64[8], with the names of arenas.py.
        stop: int64[1], shared; not zero if every thread is to come to an end.
        table: uint64[E, 4], shared; see table.py.
        shortlists: uint64[E, 8], shared; see shortlists.py.
        zobrist: uint64[A, 2], shared; see table.py.
        answer_of_guess: int32[G], shared; -1 of a guess that is no answer.
        own_guess: int32[A], shared: the guess that each answer is.
        candidates_only: int64[1], not zero if only answers of the state are legal guesses.
        max_uncompacted: int64[1], MAX_UNCOMPACTED; tests lower it, so that small games have
            matrices too.
        least_kept: int64[2], MIN_KEPT and MIN_REMEMBERED; tests lower them, so that lists of small
            games are kept.
        least_lost: int64[4], MIN_RECALLING, MIN_LEARNING, MIN_LOST_PART and MIN_FAR_MISSING; tests
            lower them, so that parts of small games are looked into.

        marginal_costs: int64[...], see StageCosts; likewise the next three.
        dearest: int64[...].
        weight: int64[A].
        terms: int64[4].

        listed: int64[DEPTHS, 5], the states above whose lists tree_lists.py has noted: where their
            answers lie and how many they are, the guesses left and the cutoff. Then whether all
            guesses were listed there, or -1 where that is not known.
    """

    answers: NDArray[np.int32]
    pos: NDArray[np.int32]
    rows: NDArray[np.int64]
    guess: NDArray[np.int32]
    ceiling: NDArray[np.int32]
    excess: NDArray[np.int32]
    one_ply: NDArray[np.int64]
    proven: NDArray[np.int64]
    self_row: NDArray[np.int32]
    source: NDArray[np.int64]
    heap: NDArray[np.uint64]
    rank: NDArray[np.uint64]
    matrix: NDArray[np.int64]
    parts: NDArray[np.int64]
    tally: NDArray[np.int32]
    start: NDArray[np.int32]
    labels: NDArray[np.uint8]
    found: NDArray[np.int32]
    first_seen: NDArray[np.uint32]
    entries: NDArray[np.uint32]
    slices: NDArray[np.uint64]
    seen: NDArray[np.uint64]
    randoms: NDArray[np.uint64]
    part_bytes: NDArray[np.uint8]
    game_rows: NDArray[np.int64]
    game_column: NDArray[np.int64]
    columns: NDArray[np.uint64]
    alive: NDArray[np.uint64]
    refuted: NDArray[np.uint64]
    core: NDArray[np.bool_]
    covering: NDArray[np.int32]
    nogoods: NDArray[np.int32]
    nogood_sizes: NDArray[np.int32]
    nogood_of_answer: NDArray[np.int32]
    nogood_after: NDArray[np.int32]
    nogoods_on_answer: NDArray[np.int32]
    won: NDArray[np.uint64]
    tries_left: NDArray[np.int64]
    nogoods_made: NDArray[np.int64]
    column_parts: NDArray[np.uint32]
    column_pairs: NDArray[np.uint32]
    hash_0: NDArray[np.uint32]
    hash_1: NDArray[np.uint32]
    square: NDArray[np.uint8]
    square_rows: NDArray[np.int64]
    guess_letters: NDArray[np.uint8]
    answer_letters: NDArray[np.uint8]
    question_random: NDArray[np.uint64]
    question_count: NDArray[np.int32]
    live: NDArray[np.uint64]
    live_first: NDArray[np.uint64]
    repeats: NDArray[np.bool_]
    question_hash: NDArray[np.uint64]
    question_filter: NDArray[np.uint64]
    subset_hash: NDArray[np.uint64]
    letter_is_live: NDArray[np.bool_]
    move_columns: NDArray[np.int32]
    slots: NDArray[np.int32]
    others: NDArray[np.int32]
    member: NDArray[np.int32]
    lists: NDArray[np.int64]
    list_answers: NDArray[np.int32]
    list_names: NDArray[np.uint64]
    list_begins: NDArray[np.int64]
    list_words: NDArray[np.uint64]
    list_end: NDArray[np.int64]
    ring: NDArray[np.int64]
    counters: NDArray[np.int64]
    stop: NDArray[np.int64]
    table: NDArray[np.uint64]
    move_cache: NDArray[np.uint64]
    zobrist: NDArray[np.uint64]
    answer_of_guess: NDArray[np.int32]
    own_guess: NDArray[np.int32]
    byte_end: NDArray[np.int64]
    candidates_only: NDArray[np.int64]
    max_uncompacted: NDArray[np.int64]
    least_kept: NDArray[np.int64]
    least_lost: NDArray[np.int64]
    marginal_costs: NDArray[np.int64]
    dearest: NDArray[np.int64]
    weight: NDArray[np.int64]
    terms: NDArray[np.int64]
    late: NDArray[np.int64]
    listed: NDArray[np.int64]
