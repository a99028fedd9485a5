#!/usr/bin/env bash
# Build, check and time everything on a GPU machine, in one call of less than ten minutes:
#
#     scripts/gpu/check.sh [FOLDER [STEP ...]]        (if not given: results/gpu, and all steps but sweep and nyt-*)
#
# Steps: gpu       self-test, opener, proof and full ranking in batches on the device
#        compare   both backends on the same states, in several block sizes
#        kernels   each kernel against the limits of the device
#        tests     the kernels' tests on the device
#        memcheck, racecheck    the same comparison under compute-sanitizer
#        cpu       opener, proof and full ranking on all CPU cores alone
#        sweep     the batched search by each of its tunables, see sweep.py
#        nyt-gpu, nyt-cpu       the jobs with the lists of July 2023
# Where a call may last ten minutes only, four of them leave every job its time:
#     scripts/gpu/check.sh FOLDER gpu cpu
#     scripts/gpu/check.sh FOLDER compare kernels memcheck racecheck tests
#     scripts/gpu/check.sh FOLDER sweep
#     scripts/gpu/check.sh FOLDER nyt-gpu nyt-cpu
#
# FOLDER gets gpu_check.json, gpu_check.md and gpu_check.log, and nothing is written elsewhere but
# to caches; rows that are there already stay, if they were made on the same machine and commit.
#
#     GPU_CHECK_SECONDS    what the call may last in all
#     GPU_CHECK_CACHE      a folder that keeps compiled code from call to call
#     GPU_WORDLE_COMMIT    names the commit where .git did not travel
#
# It needs no network: python3 with cupy 14.2 or later (older ones are refused), numba, h5py, typer
# and numpy. It does without platformdirs and filelock. Where pytest, hypothesis, filelock or
# compute-sanitizer are missing, their steps are left out, and the report says so.
set -uo pipefail
cd "$(dirname "$0")/../.."
out=${1:-results/gpu}
shift || true
mkdir -p "$out"
log=$out/gpu_check.log
last=$((SECONDS + ${GPU_CHECK_SECONDS:-575}))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cache=${GPU_CHECK_CACHE:-$scratch}
export PYTHONPATH=$PWD${PYTHONPATH:+:$PYTHONPATH} GPU_WORDLE_CACHE=$cache/cache
export CUPY_CACHE_DIR=$cache/cupy PYTHONUNBUFFERED=1
failed=0

note() {
    echo "$1: $2, $3 s"
    python3 scripts/gpu/report.py "$out" steps "$1" "$2" "$3" >> "$log" 2>&1
}

# step NAME SECONDS COMMAND...: run it within its share of the time, or within what is left. The word
# LIMIT among its arguments stands for the seconds after which it should end by itself.
step() {
    local name=$1 seconds=$2 started=$SECONDS state=ok code=0 mine=$scratch/log word command=()
    shift 2
    ((seconds > last - SECONDS)) && seconds=$((last - SECONDS))
    if ((seconds < 10)); then
        failed=1
        note "$name" "not begun: no time was left" 0
        return
    fi
    for word in "$@"; do
        [[ $word == LIMIT ]] && word=$((seconds - 25))
        command+=("$word")
    done
    timeout -k 5 "$seconds" "${command[@]}" > "$mine" 2>&1 || code=$?
    { echo "=== $name: ${command[*]}"; cat "$mine"; } >> "$log"
    case $code in
        0) [[ $name == tests ]] && state=$(tail -n 1 "$mine") ;;
        124 | 137) state="not through in $seconds s" failed=1 ;;
        *)
            if [[ $1 == compute-sanitizer ]] && grep -q "Device not supported" "$mine"; then
                state="left out, this machine refuses the tool"
            else
                state="failed ($code)" failed=1
            fi
            ;;
    esac
    note "$name" "$state" $((SECONDS - started))
}

check=(python3 scripts/gpu/check.py --out "$out")
sanitized=(python3 scripts/gpu/check.py --only compare --answers 400 --guesses 500 --blocks 0 256)
sanitized+=(--no-pool)

run() {
    case $1 in
        gpu) step "$1" 250 "${check[@]}" --only gpu --seconds LIMIT ;;
        cpu) step "$1" 400 "${check[@]}" --only cpu --seconds LIMIT ;;
        nyt-gpu | nyt-cpu)
            step "$1" 300 "${check[@]}" --only "${1#nyt-}" --lists nyt-2023 --seconds LIMIT
            ;;
        sweep)
            step "$1" 570 python3 scripts/gpu/sweep.py --out "$out" --seconds LIMIT
            ;;
        compare) step "$1" 90 "${check[@]}" --only compare ;;
        kernels) step "$1" 150 python3 scripts/gpu/kernels.py --out "$out" ;;
        tests)
            if python3 -c "import pytest, hypothesis, filelock, typer" 2> /dev/null; then
                # A device that does not answer fails them; a warning of a new CuPy does not, nor does
                # another plugin of pytest that cannot be loaded.
                PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 GPU_WORDLE_NEEDS_DEVICE=1 step "$1" 330 python3 -m pytest -q \
                    --durations=5 -p no:cacheprovider -o filterwarnings=default tests/backends/cuda/test_device.py
            else
                note "$1" "left out, pytest, hypothesis, filelock or typer is not installed" 0
            fi
            ;;
        memcheck | racecheck)
            if command -v compute-sanitizer > /dev/null; then
                # The kernels of CuPy are checked by others; racecheck warns of its nonzero.
                sanitizer=(compute-sanitizer --tool "$1" --error-exitcode 77
                    --kernel-name-exclude kernel_substring=cupy_)
                # CuPy checks the status of each call, and asks for attributes that a driver may not
                # know. So a failed call is either no finding, or it ends the script.
                [[ $1 == memcheck ]] && sanitizer+=(--report-api-errors no)
                step "$1" 90 "${sanitizer[@]}" "${sanitized[@]}"
            else
                note "$1" "left out, compute-sanitizer is not installed" 0
            fi
            ;;
        *)
            echo "no step $1; see the head of $0" >&2
            exit 2
            ;;
    esac
}

nvidia-smi >> "$log" 2>&1 || true
(($# == 0)) && set -- gpu compare kernels memcheck racecheck cpu tests
for name in "$@"; do
    run "$name"
done
exit "$failed"
