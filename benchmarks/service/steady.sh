#!/bin/sh
# A cluster in steady training: 80 nodes with 8 GPUs, 1 Hz GPU samples, 50 collective lines a second and rank. Cores used, p99 from
# line to finding, two minutes.
#
#   benchmarks/service/steady.sh [NODES] [JOBS] [LINES] [SECONDS]
set -eu
. "$(dirname "$0")/prepare.sh"
run FleetRun "${1:-80}" 8 "${2:-10}" "${3:-50}" "${4:-90}"
