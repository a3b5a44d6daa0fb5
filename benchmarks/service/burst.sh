#!/bin/sh
# A start of 10,000 GPUs at once: 1,000 lines of each rank, read on two cores from a cold start. Three minutes and 8 GiB.
#
#   benchmarks/service/burst.sh [NODES] [HEAP]     1,250 nodes with 8 GPUs, 6g
set -eu
. "$(dirname "$0")/prepare.sh"
run Burst "${1:-1250}" "$root/examples/recordings" "${2:-6g}"
