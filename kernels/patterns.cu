// Pattern matrix: matrix[a, g] = the feedback that guess g receives when answer a is hidden.
//
// Formula  Greens first; then, from the left, a letter that is not green is yellow if the answer
//          holds an unclaimed copy of it, which it claims. pattern = sum of digit[i] * 3^i with
//          grey 0, yellow 1, green 2.
// Twin     feedback.pattern; build_patterns of the backends reference and cpu.
// Block    blockDim.x neighbouring guesses, and the answers blockIdx.y, + gridDim.y, ...
// Thread   one guess, its letters in registers; block-stride over guesses.
// Arrays   guesses uint32[G, LENGTH] and answers uint32[A, LENGTH], code points, row-major;
//          matrix Pattern[A, G], answer-major: uint8 up to five letters, uint16 beyond.
// Shared   none.
// Work     about LENGTH^2 compares a pair, unrolled; one pattern written a pair, coalesced; the
//          words are read from the first-level cache. Integer instructions bind (a prediction).
// Ties     none: the definition fixes which copy of a letter is yellow.
//
// Compile with -DLENGTH=2..10.

#if LENGTH <= 5
typedef unsigned char Pattern;
#else
typedef unsigned short Pattern;
#endif

__device__ __forceinline__ unsigned pattern_of(const unsigned *guess, const unsigned *answer)
{
    // Bit i of `unclaimed`: no green or yellow uses letter i of the answer yet.
    // Bit i of `waiting`: letter i of the guess is not green.
    unsigned pattern = 0, unclaimed = 0, waiting = 0;
    unsigned power = 1;
#pragma unroll
    for (int i = 0; i < LENGTH; i++, power *= 3) {
        if (guess[i] == answer[i]) {
            pattern += 2 * power;
        } else {
            unclaimed |= 1u << i;
            waiting |= 1u << i;
        }
    }
    power = 1;
#pragma unroll
    for (int i = 0; i < LENGTH; i++, power *= 3) {
        unsigned copies = 0;
#pragma unroll
        for (int j = 0; j < LENGTH; j++)
            copies |= guess[i] == answer[j] ? 1u << j : 0;
        copies &= unclaimed;
        if ((waiting >> i & 1) && copies) {
            pattern += power;
            unclaimed ^= copies & -copies;  // a yellow claims the leftmost free copy
        }
    }
    return pattern;
}

extern "C" __global__ void build_patterns(
    const unsigned *__restrict__ guesses, const unsigned *__restrict__ answers,
    int guess_count, int answer_count, Pattern *__restrict__ matrix)
{
    const unsigned stride = gridDim.x * blockDim.x;
    for (unsigned g = blockIdx.x * blockDim.x + threadIdx.x; g < (unsigned)guess_count; g += stride) {
        unsigned guess[LENGTH];
#pragma unroll
        for (int i = 0; i < LENGTH; i++)
            guess[i] = guesses[(size_t)g * LENGTH + i];
        for (unsigned a = blockIdx.y; a < (unsigned)answer_count; a += gridDim.y)
            matrix[(size_t)a * guess_count + g] =
                (Pattern)pattern_of(guess, answers + (size_t)a * LENGTH);
    }
}
