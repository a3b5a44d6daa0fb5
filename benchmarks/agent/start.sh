#!/bin/sh
# Milliseconds from exec to the first acknowledged line, with the cache of classes. RUNS (9) starts, 20 s.
. "$(dirname "$0")/prepare"
benchmark start
