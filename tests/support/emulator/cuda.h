// CUDA for a kernel that is compiled as C++ for the emulator. To be included before the kernel.
//
// A thread of a block is a fiber of emulator.cpp. Collectives switch to other fibers and exchange
// values with them. Each passes its line, so that the emulator detects threads at different ones.

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <utility>

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__

struct Index {
    unsigned x, y;
};

extern "C" {
extern Index threadIdx, blockIdx, blockDim, gridDim;
extern long long shared_memory[];

// The values of the lanes that took part in a collective, and what one of them makes of them for all.
struct Gathered {
    uint64_t values[32];
    uint64_t merged;
    bool is_merged;
};

void emulator_barrier(int line);
Gathered *emulator_gather(int line, unsigned mask, uint64_t value);
void emulator_warp_barrier(int line, unsigned mask);
void emulator_atomic(const void *at, size_t bytes, bool is_write, int line);
void emulator_fail(const char *what, int line);
}

namespace emulated {

constexpr unsigned WARP_SIZE = 32;

#define UNSEEN __attribute__((no_sanitize("thread"), noinline))
#define INLINE __attribute__((always_inline))

// Atomics: plain accesses are enough once they are announced, since a fiber runs until it yields.

template <typename T> UNSEEN T add(int line, T *at, T value)
{
    emulator_atomic(at, sizeof(T), true, line);
    const T held = *at;
    *at = held + value;
    return held;
}

template <typename T> UNSEEN T exchange(int line, T *at, T value)
{
    emulator_atomic(at, sizeof(T), true, line);
    const T held = *at;
    *at = value;
    return held;
}

template <typename T> UNSEEN T combine(int line, T *at, T value)
{
    emulator_atomic(at, sizeof(T), true, line);
    const T held = *at;
    *at = held ^ value;
    return held;
}

template <typename T> UNSEEN T replace(int line, T *at, T expected, T value)
{
    emulator_atomic(at, sizeof(T), true, line);
    const T held = *at;
    if (held == expected)
        *at = value;
    return held;
}

template <typename T> UNSEEN T least(int line, T *at, T value)
{
    emulator_atomic(at, sizeof(T), true, line);
    const T held = *at;
    if (value < held)
        *at = value;
    return held;
}

template <typename T> UNSEEN T greatest(int line, T *at, T value)
{
    emulator_atomic(at, sizeof(T), true, line);
    const T held = *at;
    if (value > held)
        *at = value;
    return held;
}

template <typename T> UNSEEN T read_shared_by_all(int line, const T *at)
{
    emulator_atomic(at, sizeof(T), false, line);
    return *at;
}

// Collectives of a warp

template <typename T> UNSEEN uint64_t packed(T value)
{
    static_assert(sizeof(T) <= sizeof(uint64_t));
    uint64_t word = 0;
    memcpy(&word, &value, sizeof(T));
    return word;
}

template <typename T> UNSEEN T unpacked(uint64_t word)
{
    T value;
    memcpy(&value, &word, sizeof(T));
    return value;
}

inline unsigned lane()
{
    return threadIdx.x % WARP_SIZE;
}

// Returns the value of the lane `from`, or the own value if there is no such lane.
template <typename T> UNSEEN T shuffle(int line, unsigned mask, T value, unsigned from)
{
    const unsigned own = lane();
    const uint64_t *const values = emulator_gather(line, mask, packed(value))->values;
    if (from >= WARP_SIZE)
        return unpacked<T>(values[own]);
    if (!(mask >> from & 1))
        emulator_fail("a shuffle reads from a lane that takes no part", line);
    return unpacked<T>(values[from]);
}

template <typename T, typename Merge>
UNSEEN T reduce(int line, unsigned mask, T value, Merge merge)
{
    Gathered *const all = emulator_gather(line, mask, packed(value));
    if (!all->is_merged) {
        T result = unpacked<T>(all->values[__builtin_ctz(mask)]);
        for (unsigned left = mask & mask - 1; left; left &= left - 1)
            result = merge(result, unpacked<T>(all->values[__builtin_ctz(left)]));
        all->merged = packed(result);
        all->is_merged = true;
    }
    return unpacked<T>(all->merged);
}

UNSEEN inline unsigned ballot(int line, unsigned mask, bool vote)
{
    Gathered *const all = emulator_gather(line, mask, vote);
    if (!all->is_merged) {
        all->merged = 0;
        for (unsigned v = 0; v < WARP_SIZE; v++)
            all->merged |= (mask >> v & 1 && all->values[v]) ? 1u << v : 0;
        all->is_merged = true;
    }
    return (unsigned)all->merged;
}

inline unsigned byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned chosen = selector >> 4 * i & 15;
        const unsigned byte = bytes >> 8 * (chosen & 7) & 255;
        const unsigned spread = chosen & 8 ? (byte & 128 ? 255 : 0) : byte;  // the sign, eight times
        result |= spread << 8 * i;
    }
    return result;
}

template <typename... Types, size_t... places>
UNSEEN void call(void (*kernel)(Types...), void **arguments, std::index_sequence<places...>)
{
    kernel(*(std::remove_reference_t<Types> *)arguments[places]...);
}

// Calls a kernel with arguments given by their addresses.
template <typename... Types> UNSEEN void call(void (*kernel)(Types...), void **arguments)
{
    call(kernel, arguments, std::index_sequence_for<Types...>());
}

}  // namespace emulated

#define __syncthreads() emulator_barrier(__LINE__)
#define __syncwarp(...) emulator_warp_barrier(__LINE__, ~0u __VA_OPT__(& (__VA_ARGS__)))
#define __shfl_sync(mask, value, from) emulated::shuffle(__LINE__, mask, value, from)
#define __shfl_down_sync(mask, value, by) \
    emulated::shuffle(__LINE__, mask, value, emulated::lane() + (by))
#define __shfl_up_sync(mask, value, by) \
    emulated::shuffle(__LINE__, mask, value, emulated::lane() - (by))
#define __shfl_xor_sync(mask, value, by) \
    emulated::shuffle(__LINE__, mask, value, emulated::lane() ^ (by))
#define __ballot_sync(mask, vote) emulated::ballot(__LINE__, mask, vote)
#define __any_sync(mask, vote) (emulated::ballot(__LINE__, mask, vote) != 0)
#define __all_sync(mask, vote) (emulated::ballot(__LINE__, mask, vote) == (mask))
#define __reduce_max_sync(mask, value) \
    emulated::reduce(__LINE__, mask, value, [](auto a, auto b) INLINE { return a > b ? a : b; })
#define __reduce_min_sync(mask, value) \
    emulated::reduce(__LINE__, mask, value, [](auto a, auto b) INLINE { return a < b ? a : b; })
#define __reduce_add_sync(mask, value) \
    emulated::reduce(__LINE__, mask, value, [](auto a, auto b) INLINE { return a + b; })
#define __reduce_or_sync(mask, value) \
    emulated::reduce(__LINE__, mask, value, [](auto a, auto b) INLINE { return a | b; })
#define __reduce_xor_sync(mask, value) \
    emulated::reduce(__LINE__, mask, value, [](auto a, auto b) INLINE { return a ^ b; })

#define atomicAdd(...) emulated::add(__LINE__, __VA_ARGS__)
#define atomicExch(...) emulated::exchange(__LINE__, __VA_ARGS__)
#define atomicXor(...) emulated::combine(__LINE__, __VA_ARGS__)
#define atomicCAS(...) emulated::replace(__LINE__, __VA_ARGS__)
#define atomicMin(...) emulated::least(__LINE__, __VA_ARGS__)
#define atomicMax(...) emulated::greatest(__LINE__, __VA_ARGS__)
#define __ldcg(...) emulated::read_shared_by_all(__LINE__, __VA_ARGS__)
#define __popc __builtin_popcount
#define __byte_perm emulated::byte_perm

struct uint4 {
    unsigned x, y, z, w;
};
