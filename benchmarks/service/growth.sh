#!/bin/sh
# How cost and memory grow with the fleet: 104 to 10,000 GPUs, 64 a job, 2 collective lines a second and rank, 1 Hz GPU samples. Jobs start
# one after the other for five minutes, memory grows for a quarter of an hour more, since readings are kept as long, and cost is counted
# from a minute after the last start on, once nothing is behind. Unattended, 25 minutes a size, 100 for all.
#
#   benchmarks/service/growth.sh [SECONDS] [HEAP]     1,500 of each size, 2g
set -eu
seconds=${1:-1500}
start=$((seconds / 5))
RINGSIDE_BENCH_OPTS="-Dbench.service.start=$start -Dbench.service.warm=$((start + 60)) -Dbench.service.heap=${2:-2g} -Dbench.load.heap=3g ${RINGSIDE_BENCH_OPTS:-}"
. "$(dirname "$0")/prepare.sh"
run FleetRun 13 8 2 2 "$seconds" 125 8 16 2 "$seconds" 500 8 62 2 "$seconds" 1250 8 156 2 "$seconds"
