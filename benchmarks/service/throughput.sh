#!/bin/sh
# Lines a second and core through the whole service, beside a bare consume loop and the engine's own windowed count: six minutes.
# The first half of the lines is start-up and compiling; the service's code is compiled after 20 million.
#
#   benchmarks/service/throughput.sh [LINES] [FILE]     40,000,000 lines made of examples/recordings; or the lines of a file
set -eu
. "$(dirname "$0")/prepare.sh"
run Throughput "${1:-40000000}" "$root/examples/recordings" ${2:+"$2"}
