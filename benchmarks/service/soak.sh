#!/bin/sh
# Whether memory stays flat: 40 nodes with 8 GPUs in 8 jobs for 30 minutes, with a line every 30 s of heap in use after a collection, resident
# memory, threads and descriptors. Readings are kept for a quarter of an hour, so the second half counts.
#
#   benchmarks/service/soak.sh [MINUTES] [HEAP]     30, 512m
set -eu
RINGSIDE_BENCH_OPTS="-Dbench.service.probes=false -Dbench.service.heap=${2:-512m} ${RINGSIDE_BENCH_OPTS:-}"
. "$(dirname "$0")/prepare.sh"
run FleetRun 40 8 8 10 $((60 * ${1:-30})) 30
