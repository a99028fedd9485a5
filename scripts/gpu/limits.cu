// The limits of a device, for scripts/gpu/kernels.py: each kernel loads one unit only.
//
// Block    any number of threads; all blocks do the same.
// Shared   32 bytes a thread, for shared_limit.
// Arrays   source uint4[count], result unsigned[gridDim.x * blockDim.x], so that the compiler
//          cannot drop the work.

extern __shared__ long long shared_memory[];

// Eight integer instructions a step, of independent chains. They are logic, since compilers make
// sums on the unit of multiplications too.
extern "C" __global__ void integer_limit(int steps, unsigned seed, unsigned *result)
{
    unsigned x[8];
    for (int i = 0; i < 8; i++)
        x[i] = threadIdx.x * 8 + i;
    for (int s = 0; s < steps; s++)
#pragma unroll
        for (int i = 0; i < 8; i++)
            x[i] = x[i] & seed ^ x[(i + 1) % 8];
    unsigned sum = 0;
    for (int i = 0; i < 8; i++)
        sum ^= x[i];
    result[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// 16 accesses to shared memory a step, half of them reads, each thread in its own bank.
extern "C" __global__ void shared_limit(int steps, unsigned seed, unsigned *result)
{
    volatile unsigned *own = (unsigned *)shared_memory + threadIdx.x;
    for (int i = 0; i < 8; i++)
        own[i * blockDim.x] = seed + i;
    for (int s = 0; s < steps; s++) {
        unsigned x[8];
#pragma unroll
        for (int i = 0; i < 8; i++)
            x[i] = own[i * blockDim.x];
#pragma unroll
        for (int i = 0; i < 8; i++)
            own[(i + 1) % 8 * blockDim.x] = x[i];
    }
    result[blockIdx.x * blockDim.x + threadIdx.x] = own[0];
}

// Reads `source` in `rounds`, past the first-level cache: from the second level if it fits there.
extern "C" __global__ void cache_limit(
    const uint4 *__restrict__ source, int count, int rounds, unsigned *result)
{
    const int threads = gridDim.x * blockDim.x, own = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++)
        for (int i = own; i < count; i += threads) {
            const uint4 words = __ldcg(source + i);
            sum += words.x ^ words.y ^ words.z ^ words.w;
        }
    result[own] = sum;
}
