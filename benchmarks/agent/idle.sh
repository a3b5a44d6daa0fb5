#!/bin/sh
# Memory after a minute at 10 lines/s. 60 s.
. "$(dirname "$0")/prepare"
benchmark idle
