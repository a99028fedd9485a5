// Lists: the guesses that matter in a state, and the matrix of that state under them; shared by
// most_parts.cu and collapse.cu. Include tally.cuh first.
//
// A list belongs to a state and serves every subset of it. Its matrix has a row for each answer of
// that state, ascending, and a column for each guess, by parts, the most first; so a state of which
// the list's state is a superset finds its rows by looking its answers up (find_rows).

struct List {
    Matrix matrix;
    const unsigned short *parts;    // of each guess, or a bound on them; descending
    const unsigned short *answers;  // of the list's state, ascending
    int guess_count, answer_count;
};

// How the host describes lists: a row of integers each, addresses among them.
enum ListField { MATRIX, PITCH_BYTES, PARTS_AT, ANSWERS_AT, GUESSES, ANSWERS, LIST_FIELDS };

__device__ __forceinline__ List list_of(const long long *__restrict__ lists, int k, unsigned bins)
{
    const long long *field = lists + (size_t)k * LIST_FIELDS;
    return {
        {(const Word *)field[MATRIX], (unsigned)field[PITCH_BYTES], bins},
        (const unsigned short *)field[PARTS_AT],
        (const unsigned short *)field[ANSWERS_AT],
        (int)field[GUESSES],
        (int)field[ANSWERS],
    };
}

// Row of an answer that is in the list's state.
__device__ __forceinline__ unsigned short row_of(const List &list, unsigned short answer)
{
    int low = 0, high = list.answer_count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list.answers[middle] < answer)
            low = middle + 1;
        else
            high = middle;
    }
    return (unsigned short)low;
}

// Rows of all answers of a state; the whole block calls it, and may read them when it returns.
__device__ __forceinline__ void find_rows(
    const List &list, const State &state, unsigned short *rows)
{
    __syncthreads();  // the rows of the previous state have been read
    for (int i = threadIdx.x; i < state.n; i += blockDim.x)
        rows[i] = row_of(list, state.answers[i]);
    __syncthreads();
}
