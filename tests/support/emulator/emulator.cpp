// Runs CUDA kernels on the host: whole blocks of warps of 32 threads, each thread a fiber.
//
// One fiber runs at a time. It yields where it waits for others and, in a checked launch, before
// random accesses. Several blocks are in flight. Shared memory belongs to the block whose fiber
// runs, and is moved aside when another block runs.
//
// Every launch detects: threads at different barriers or collectives, masks with lanes that are
// elsewhere or gone, threads that leave while others wait, writes beyond the block's shared memory.
// A checked launch needs a kernel compiled with -fsanitize=thread, whose calls before each access
// come here (no other part of that sanitizer is used). It also detects
//   - races: two accesses to a byte, one a write and one plain, with nothing between that orders
//     them. Barriers order the threads of a block, and warp barriers those of a warp;
//   - shared memory that is read before it is written;
//   - accesses outside the arrays that the launch was given.

#include <link.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

struct Index {
    unsigned x, y;
};

// As in cuda.h.
struct Gathered {
    uint64_t values[32];
    uint64_t merged;
    bool is_merged;
};

constexpr unsigned WARP_SIZE = 32, MAX_THREADS = 1024;
constexpr size_t STACK_BYTES = 256 << 10, SHARED_BYTES = 256 << 10, GUARD_BYTES = 1 << 10;
constexpr uint8_t POISON = 0xA5;
constexpr unsigned ACCESSES_TO_SWITCH = 24;  // mean accesses between yields in a checked launch
constexpr unsigned TURNS_TO_SWITCH = 8;      // turns of a block's threads before another block runs
constexpr unsigned BYTES_OF_A_TURN = 256;    // one more turn for so much shared memory to be moved

extern "C" {
Index threadIdx, blockIdx, blockDim, gridDim;
alignas(128) long long shared_memory[(SHARED_BYTES + GUARD_BYTES) / sizeof(long long)];
}

namespace {

struct Range {
    uintptr_t begin, end;

    bool holds(uintptr_t address, size_t bytes) const
    {
        return begin <= address && address + bytes <= end;
    }
};

// An access: launch, thread, and the barriers that the thread had passed.
struct Access {
    uint32_t launch = 0, thread = 0, barriers = 0, warp_barriers = 0;
    bool is_atomic = false;
};

// The last accesses to a byte.
struct Cell {
    Access write, reads[2];
};

enum Waiting { READY, AT_BARRIER, IN_WARP, GONE };

struct Fiber {
    jmp_buf context;
    char *stack = nullptr;
    bool is_made = false;
    unsigned slot = 0, thread = 0;  // index of its block in flight; index in the block
    Waiting waiting = GONE;
    uint32_t barriers = 0, warp_barriers = 0;
};

struct Warp {
    unsigned arrived = 0, mask = 0, gone = 0, turn = 0;
    int line = 0;
    bool is_barrier = false;
    Gathered gathered[2];
};

// A block in flight.
struct Block {
    bool is_open = false;
    Index index = {0, 0};
    uint32_t number = 0;
    unsigned arrived = 0, gone = 0;
    int line = 0;
    std::vector<Fiber> fibers;
    std::vector<Warp> warps;
    std::vector<unsigned> ready;
    std::vector<uint8_t> aside;      // its shared memory while another block runs
    std::vector<Cell> shared_cells;  // in a checked launch
};

struct Launch {
    void (*kernel)(void **);
    void **arguments;
    size_t shared_bytes;
    bool is_checked;
    std::vector<Range> arrays;
    Range image;  // of the kernel's library
};

Launch launch;
std::vector<Block> blocks;
std::map<uintptr_t, std::vector<Cell>> cells;  // those of each array, by its first address
Block *block = nullptr;                        // the block that runs, or ran last
Fiber *fiber = nullptr;                        // the fiber that runs
jmp_buf scheduler;
ucontext_t scheduler_context;
uintptr_t accessed_from = 0;  // return address of the call before a plain access, to find its line
std::string failure;
uint32_t launches = 0, waits_to_switch = 0, turns_to_switch = TURNS_TO_SWITCH;
uint64_t random_state = 1;
std::mutex one_launch;
std::vector<char *> stacks;

unsigned random_below(unsigned n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state >> 11) % n);
}

void fail(const std::string &what, int line = 0)
{
    if (failure.empty()) {
        failure = what;
        if (line)
            failure += ", line " + std::to_string(line);
        else
            failure += ", at +" + std::to_string(accessed_from - launch.image.begin);
        failure += " (block " + std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y)
            + ", thread " + std::to_string(threadIdx.x) + ")";
    }
    _longjmp(scheduler, 1);
}

// Suspends the fiber until it is chosen again.
void hand_over()
{
    if (_setjmp(fiber->context) == 0)
        _longjmp(scheduler, 1);
}

void make_ready(Block &of, unsigned thread)
{
    of.fibers[thread].waiting = READY;
    of.ready.push_back(thread);
}

Warp &own_warp()
{
    return block->warps[fiber->thread / WARP_SIZE];
}

// The body of a fiber: runs the kernel for each block that its slot gets.
void live()
{
    for (;;) {
        launch.kernel(launch.arguments);
        Warp &warp = own_warp();
        if (block->arrived)
            fail("a thread leaves while others wait at a barrier", block->line);
        warp.gone |= 1u << fiber->thread % WARP_SIZE;
        if (warp.arrived && warp.mask & warp.gone)
            fail("a thread leaves that a collective waits for", warp.line);
        block->gone++;
        fiber->waiting = GONE;
        hand_over();
    }
}

// Runs the fiber until it yields; returns false after a failure.
bool run(Fiber &chosen)
{
    fiber = &chosen;
    threadIdx = {chosen.thread, 0};
    blockIdx = block->index;
    if (_setjmp(scheduler) == 0) {
        if (chosen.is_made)
            _longjmp(chosen.context, 1);
        chosen.is_made = true;
        ucontext_t fresh;
        getcontext(&fresh);
        fresh.uc_stack.ss_sp = chosen.stack;
        fresh.uc_stack.ss_size = STACK_BYTES;
        fresh.uc_link = nullptr;
        makecontext(&fresh, live, 0);
        swapcontext(&scheduler_context, &fresh);
    }
    return failure.empty();
}

// Makes a block the running one: moves the last one's shared memory aside, and its own in place.
void go_on_with(Block &other)
{
    if (block == &other)
        return;
    const size_t bytes = launch.shared_bytes + GUARD_BYTES;
    if (block && block->is_open)
        memcpy(block->aside.data(), shared_memory, bytes);
    memcpy(shared_memory, other.aside.data(), bytes);
    block = &other;
}

void begin(Block &of, uint32_t number, uint32_t position, unsigned slot)
{
    of.is_open = true;
    of.number = number;
    of.index = {position % gridDim.x, position / gridDim.x};
    of.arrived = of.gone = 0;
    of.ready.clear();
    of.aside.assign(launch.shared_bytes + GUARD_BYTES, POISON);
    of.warps.assign((blockDim.x + WARP_SIZE - 1) / WARP_SIZE, Warp());
    if (launch.is_checked)
        of.shared_cells.assign(launch.shared_bytes, Cell());
    for (unsigned thread = 0; thread < blockDim.x; thread++) {
        Fiber &own = of.fibers[thread];
        own.slot = slot;
        own.thread = thread;
        own.barriers = own.warp_barriers = 0;
        make_ready(of, thread);
    }
    if (block == &of)
        block = nullptr;  // shared memory in place belongs to the previous block of this slot
}

void end(Block &of)
{
    const uint8_t *const guard = (const uint8_t *)shared_memory + launch.shared_bytes;
    for (size_t i = 0; i < GUARD_BYTES; i++)
        if (guard[i] != POISON) {
            fiber = &of.fibers[0];
            failure = "a block wrote beyond its shared memory";
            return;
        }
    of.is_open = false;
}

// Returns the block to run next, mostly the running one; nullptr if no block can run.
Block *choose_block()
{
    const bool stays = block && block->is_open && !block->ready.empty();
    if (stays && (waits_to_switch++ % turns_to_switch || random_below(2)))
        return block;
    const unsigned first = random_below(blocks.size());
    for (unsigned i = 0; i < blocks.size(); i++) {
        Block &other = blocks[(first + i) % blocks.size()];
        if (other.is_open && !other.ready.empty())
            return &other;
    }
    return nullptr;
}

void run_all(const std::vector<uint32_t> &order)
{
    uint32_t next = 0;
    for (unsigned slot = 0; slot < blocks.size() && next < order.size(); slot++, next++)
        begin(blocks[slot], next, order[next], slot);
    for (;;) {
        Block *const chosen = choose_block();
        if (!chosen) {
            for (Block &left : blocks)
                if (left.is_open) {
                    blockIdx = left.index;
                    failure = left.arrived
                        ? "threads wait at a barrier for others that wait elsewhere, line "
                            + std::to_string(left.line)
                        : "threads of a warp wait for others that wait elsewhere";
                    return;
                }
            return;
        }
        go_on_with(*chosen);
        std::vector<unsigned> &ready = chosen->ready;
        const unsigned place = random_below(ready.size());
        const unsigned thread = ready[place];
        ready[place] = ready.back();
        ready.pop_back();
        if (!run(chosen->fibers[thread]))
            return;
        if (chosen->gone == blockDim.x) {
            end(*chosen);
            if (!failure.empty())
                return;
            if (next < order.size()) {
                begin(*chosen, next, order[next], chosen - blocks.data());
                next++;
            }
        }
    }
}

int find_image(dl_phdr_info *info, size_t, void *)
{
    const uintptr_t sought = (uintptr_t)launch.kernel;
    Range whole = {UINTPTR_MAX, 0};
    bool is_it = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        const uintptr_t to = from + info->dlpi_phdr[i].p_memsz;
        whole = {std::min(whole.begin, from), std::max(whole.end, to)};
        is_it |= from <= sought && sought < to;
    }
    if (is_it)
        launch.image = whole;
    return is_it;
}

bool is_before(const Access &earlier)
{
    if (earlier.launch != launches)
        return true;
    const uint32_t mine = block->number * MAX_THREADS + fiber->thread;
    if (earlier.thread == mine)
        return true;
    if (earlier.thread / MAX_THREADS != block->number)
        return false;
    if (earlier.barriers < fiber->barriers)
        return true;
    const bool is_own_warp = earlier.thread / WARP_SIZE == mine / WARP_SIZE;
    return is_own_warp && earlier.warp_barriers < fiber->warp_barriers;
}

// Returns the cells of an address in an array or shared memory; nullptr for a thread's own memory.
Cell *cells_of(uintptr_t address, size_t bytes, int line, bool &is_shared)
{
    const uintptr_t shared = (uintptr_t)shared_memory;
    is_shared = shared <= address && address < shared + sizeof(shared_memory);
    if (is_shared) {
        if (address + bytes > shared + launch.shared_bytes)
            fail("an access beyond the shared memory of the block", line);
        return &block->shared_cells[address - shared];
    }
    const uintptr_t stack = (uintptr_t)fiber->stack;
    if (Range{stack, stack + STACK_BYTES}.holds(address, bytes))
        return nullptr;
    for (const Range &array : launch.arrays) {
        if (!array.holds(address, bytes))
            continue;
        std::vector<Cell> &of = cells[array.begin];
        if (of.size() != array.end - array.begin)
            of.assign(array.end - array.begin, Cell());
        return &of[address - array.begin];
    }
    for (const Index *own : {&threadIdx, &blockIdx, &blockDim, &gridDim})
        if (Range{(uintptr_t)own, (uintptr_t)(own + 1)}.holds(address, bytes))
            return nullptr;
    if (launch.image.holds(address, bytes))
        return nullptr;
    fail("an access beyond the arrays", line);
    return nullptr;
}

void check(uintptr_t address, size_t bytes, bool is_write, bool is_atomic, int line)
{
    bool is_shared = false;
    Cell *const first = cells_of(address, bytes, line, is_shared);
    if (!first)
        return;
    const uint32_t mine = block->number * MAX_THREADS + fiber->thread;
    const Access access = {launches, mine, fiber->barriers, fiber->warp_barriers, is_atomic};
    for (Cell *cell = first; cell < first + bytes; cell++) {
        const char *const where = is_shared ? " in shared memory" : " in an array";
        if (is_shared && !is_write && cell->write.launch != launches)
            fail("shared memory is read before it is written", line);
        if (!is_before(cell->write) && !(is_atomic && cell->write.is_atomic))
            fail(std::string("a race with a write") + where, line);
        if (is_write) {
            for (const Access &read : cell->reads)
                if (!is_before(read) && !(is_atomic && read.is_atomic))
                    fail(std::string("a race with a read") + where, line);
            cell->write = access;
        }
        if (!is_write || is_atomic) {
            Access *const reads = cell->reads;
            if (reads[0].launch != launches || reads[0].thread == mine || is_before(reads[0]))
                reads[0] = access;
            else if (reads[1].launch != launches || is_before(reads[1]) || random_below(2))
                reads[1] = access;
        }
    }
}

// Handles an access. Either its line is known, or `from`, the return address of the call before it.
// Atomic accesses may race with each other.
void meet(
    const void *at, size_t bytes, bool is_write, bool is_atomic, int line, void *from = nullptr)
{
    if (!launch.is_checked || !fiber)
        return;
    if (random_below(ACCESSES_TO_SWITCH) == 0) {
        make_ready(*block, fiber->thread);
        hand_over();
    }
    accessed_from = (uintptr_t)from;
    check((uintptr_t)at, bytes, is_write, is_atomic, line);
}

// Waits until all lanes of the mask have arrived, and then makes all of them ready.
void arrive(int line, unsigned mask, bool is_barrier)
{
    Warp &warp = own_warp();
    const unsigned lane = fiber->thread % WARP_SIZE;
    const unsigned lanes = std::min(WARP_SIZE, blockDim.x - fiber->thread / WARP_SIZE * WARP_SIZE);
    if (!(mask >> lane & 1))
        fail("a lane is at a collective whose mask leaves it out", line);
    if (lanes < WARP_SIZE && mask >> lanes)
        fail("a mask names lanes that the warp has not", line);
    if (mask & warp.gone)
        fail("a mask names lanes that are gone", line);
    if (warp.arrived && (warp.mask != mask || warp.line != line || warp.is_barrier != is_barrier))
        fail("threads of a warp are at different collectives, lines " + std::to_string(warp.line)
            + " and " + std::to_string(line));
    warp.mask = mask;
    warp.line = line;
    warp.is_barrier = is_barrier;
    warp.arrived |= 1u << lane;
    if (is_barrier)
        fiber->warp_barriers++;
    fiber->waiting = IN_WARP;
    if (warp.arrived == mask) {
        warp.arrived = 0;
        warp.turn ^= 1;
        const unsigned first = fiber->thread / WARP_SIZE * WARP_SIZE;
        for (unsigned v = 0; v < lanes; v++)
            if (mask >> v & 1)
                make_ready(*block, first + v);
    }
    hand_over();
}

}  // namespace

extern "C" {

void emulator_barrier(int line)
{
    if (block->gone)
        fail("a barrier that threads have left without", line);
    if (block->arrived && block->line != line)
        fail("threads are at different barriers, lines " + std::to_string(block->line) + " and "
            + std::to_string(line));
    block->line = line;
    fiber->waiting = AT_BARRIER;
    fiber->barriers++;
    if (++block->arrived == blockDim.x) {
        block->arrived = 0;
        for (unsigned thread = 0; thread < blockDim.x; thread++)
            make_ready(*block, thread);
    }
    hand_over();
}

// Returns the values of all lanes of the mask. They stay valid until the next call but one.
Gathered *emulator_gather(int line, unsigned mask, uint64_t value)
{
    Warp &warp = own_warp();
    Gathered *const all = &warp.gathered[warp.turn];
    all->values[fiber->thread % WARP_SIZE] = value;
    all->is_merged = false;
    arrive(line, mask, false);
    return all;
}

void emulator_warp_barrier(int line, unsigned mask)
{
    arrive(line, mask, true);
}

void emulator_atomic(const void *at, size_t bytes, bool is_write, int line)
{
    meet(at, bytes, is_write, true, line);
}

void emulator_fail(const char *what, int line)
{
    fail(what, line);
}

// Runs a kernel; returns an error message, or nullptr. `ranges` holds begin and end of each array
// that it may access.
const char *emulator_launch(
    void (*kernel)(void **), void **arguments, unsigned grid_x, unsigned grid_y, unsigned threads,
    size_t shared_bytes, unsigned in_flight, uint64_t seed, bool is_checked,
    const uintptr_t *ranges, size_t range_count)
{
    const std::lock_guard<std::mutex> guard(one_launch);
    launch = {kernel, arguments, shared_bytes, is_checked, {}, {0, 0}};
    for (size_t i = 0; i < range_count; i++)
        launch.arrays.push_back({ranges[2 * i], ranges[2 * i + 1]});
    dl_iterate_phdr(find_image, nullptr);
    cells.clear();
    launches++;
    failure.clear();
    random_state = seed * 0x9E3779B97F4A7C15 + 1;
    turns_to_switch = TURNS_TO_SWITCH;
    if (!is_checked)
        turns_to_switch = std::max<size_t>(TURNS_TO_SWITCH, shared_bytes / BYTES_OF_A_TURN);
    gridDim = {grid_x, grid_y};
    blockDim = {threads, 1};
    std::vector<uint32_t> order((size_t)grid_x * grid_y);
    for (size_t i = 0; i < order.size(); i++)
        order[i] = i;
    for (size_t i = order.size(); i > 1; i--)  // blocks may begin in any order
        std::swap(order[i - 1], order[random_below(i)]);
    blocks.assign(std::min<size_t>(in_flight, order.size()), Block());
    size_t used = 0;
    for (Block &each : blocks) {
        each.fibers.resize(threads);
        for (Fiber &own : each.fibers) {
            if (used == stacks.size())
                stacks.push_back((char *)mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
            own.stack = stacks[used++];
        }
    }
    block = nullptr;
    run_all(order);
    fiber = nullptr;
    return failure.empty() ? nullptr : failure.c_str();
}

// The functions that a kernel compiled with -fsanitize=thread calls before its accesses.

#define ACCESS(name, bytes, is_write) \
    void __tsan_##name##bytes(void *at) \
    { \
        meet(at, bytes, is_write, false, 0, __builtin_return_address(0)); \
    }
#define ACCESSES(bytes) \
    ACCESS(read, bytes, false) \
    ACCESS(write, bytes, true) \
    ACCESS(unaligned_read, bytes, false) \
    ACCESS(unaligned_write, bytes, true)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *at, size_t bytes)
{
    meet(at, bytes, false, false, 0, __builtin_return_address(0));
}
void __tsan_write_range(void *at, size_t bytes)
{
    meet(at, bytes, true, false, 0, __builtin_return_address(0));
}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_init() {}

}  // extern "C"
