#!/bin/sh
# How cost and memory grow with the fleet: 104 to 10,000 GPUs, 64 a job, 2 collective lines a second and rank, 1 Hz GPU samples. Five minutes.
#
#   benchmarks/service/growth.sh [SECONDS]     of each size
set -eu
. "$(dirname "$0")/prepare.sh"
run FleetRun 13 8 2 2 "${1:-60}" 125 8 16 2 "${1:-60}" 500 8 62 2 "${1:-60}" 1250 8 156 2 "${1:-60}"
