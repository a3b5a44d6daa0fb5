#!/bin/sh
# 30 minutes of 20,000 numbered lines a second with a rotation each minute: memory, descriptors, and the number of every line.
# SECONDS_TO_RUN, LINES_PER_SECOND and ROTATION_SECONDS change that. Exits with 1 if a line was lost.
. "$(dirname "$0")/prepare"
benchmark soak
