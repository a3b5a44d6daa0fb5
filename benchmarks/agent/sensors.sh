#!/bin/sh
# CPU and memory of agents with none, each and all of the witnesses on, where a job is silent. Four minutes; SECONDS_TO_RUN for
# other than three of them.
. "$(dirname "$0")/prepare"
cd "$root"
benchmark sensors
