#!/usr/bin/env bash
# Build, check and time everything on a GPU machine, in one call of less than ten minutes:
#
#     scripts/gpu_check.sh [FOLDER]        (results/gpu if not given)
#
# It needs no network: python3 with cupy, numba, h5py, typer and numpy. What else it uses is left out
# where it is missing, and the report says so: pytest and hypothesis, compute-sanitizer, platformdirs.
set -uo pipefail
cd "$(dirname "$0")/.."
out=${1:-results/gpu}
mkdir -p "$out"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONPATH=$PWD GPU_WORDLE_CACHE=$scratch/cache NUMBA_CACHE_DIR=$scratch/numba
export CUPY_CACHE_DIR=$scratch/cupy
failed=0

# step NAME SECONDS COMMAND...: run it within its share of the time; its log is kept.
step() {
    local name=$1 seconds=$2
    shift 2
    local started=$SECONDS state=ok code=0
    timeout "$seconds" "$@" > "$out/$name.log" 2>&1 || code=$?
    case $code in
        0) ;;
        124) state="not through in $seconds s" ;;
        *) state="failed ($code)"; failed=1 ;;
    esac
    echo "$name: $state, $((SECONDS - started)) s" | tee -a "$scratch/steps"
}

skip() {
    echo "$1: left out, $2" | tee -a "$scratch/steps"
}

nvidia-smi > "$out/nvidia-smi.txt" 2>&1 || true

# The jobs come first: they are what the rest explains.
step jobs 360 python3 scripts/gpu_check.py --out "$out"

if python3 -c "import pytest, hypothesis" 2> /dev/null; then
    step tests 70 python3 -m pytest -q -p no:cacheprovider tests/test_kernels.py -k TestDevice
else
    skip tests "pytest or hypothesis is not installed"
fi

step kernels 70 python3 scripts/bench_gpu.py --repeats 5 --states 50000 --out "$out"

if command -v compute-sanitizer > /dev/null; then
    for tool in memcheck racecheck; do
        step "$tool" 35 compute-sanitizer --tool "$tool" --error-exitcode 1 \
            python3 scripts/gpu_check.py --only compare --answers 60 --guesses 500
    done
else
    skip compute-sanitizer "it is not installed"
fi

{ echo; echo "## Steps"; echo; sed 's/^/- /' "$scratch/steps"; } >> "$out/gpu_check.md"
exit "$failed"
