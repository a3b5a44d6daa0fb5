#!/bin/sh
# Whether memory stays flat: 20 nodes with 8 GPUs for five minutes, or as many as are given, with a line of memory every 30 s.
#
#   benchmarks/service/soak.sh [MINUTES]
set -eu
. "$(dirname "$0")/prepare.sh"
run FleetRun 20 8 4 20 $((60 * ${1:-5})) 30
