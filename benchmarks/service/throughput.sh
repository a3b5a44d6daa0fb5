#!/bin/sh
# Lines a second and core through the whole service, beside a bare consume loop and the engine's own windowed count: three minutes.
#
#   benchmarks/service/throughput.sh [LINES] [FILE]     4,000,000 lines made of examples/recordings; or the lines of a file
set -eu
. "$(dirname "$0")/prepare.sh"
run Throughput "${1:-4000000}" "$root/examples/recordings" ${2:+"$2"}
