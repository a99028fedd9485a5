// Lets g++ compile a CUDA kernel as C++: the launch variables are variables, a block's threads are
// threads of the host, shared memory is an array. host_cupy.py includes it before a kernel and
// calls the kernel once for each thread of each block.

#include <pthread.h>
#include <stddef.h>

#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__

struct Index {
    unsigned x, y;
};
static Index blockIdx, blockDim, gridDim;
static thread_local Index threadIdx;
static pthread_barrier_t barrier;

alignas(16) extern long long shared_memory[];
alignas(16) long long shared_memory[1 << 15];  // 256 KiB

static inline void __syncthreads()
{
    if (blockDim.x > 1)
        pthread_barrier_wait(&barrier);
}

template <typename T> static inline T atomicAdd(T *at, T value)
{
    return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);
}

template <typename T> static inline T atomicExch(T *at, T value)
{
    return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
}

template <typename T> static inline T atomicXor(T *at, T value)
{
    return __atomic_fetch_xor(at, value, __ATOMIC_SEQ_CST);
}

template <typename T> static inline T atomicCAS(T *at, T expected, T value)
{
    __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

template <typename T> static inline T atomicMin(T *at, T value)
{
    T held = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    while (value < held && atomicCAS(at, held, value) != held)
        held = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    return held;
}

template <typename T> static inline T atomicMax(T *at, T value)
{
    T held = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    while (value > held && atomicCAS(at, held, value) != held)
        held = __atomic_load_n(at, __ATOMIC_SEQ_CST);
    return held;
}

static inline int __popc(unsigned word)
{
    return __builtin_popcount(word);
}

struct uint4 {
    unsigned x, y, z, w;
};

template <typename T> static inline T __ldcg(const T *at)
{
    return *at;
}

extern "C" void shim_launch(unsigned grid_x, unsigned grid_y, unsigned threads)
{
    gridDim = {grid_x, grid_y};
    blockDim = {threads, 1};
    pthread_barrier_init(&barrier, nullptr, threads);
}

extern "C" void shim_block(unsigned x, unsigned y)
{
    blockIdx = {x, y};
}

extern "C" void shim_barrier()
{
    __syncthreads();
}

extern "C" void shim_thread(unsigned x)
{
    threadIdx = {x, 0};
}

extern "C" void *shim_shared_memory()
{
    return shared_memory;
}
