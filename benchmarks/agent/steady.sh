#!/bin/sh
# Share of a core that following a file at 10 MB/s takes. 90 s.
. "$(dirname "$0")/prepare"
benchmark steady
