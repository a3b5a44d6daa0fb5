#!/bin/sh
# A day of a hostile fleet in an hour: jobs that name something new in every line, lie in each number and stamp and print what costs a reader most, records
# that are none, logs full of links, pipes and secrets, connections that say nothing, before one agent and one instance of the service that nobody
# starts again. Jobs beside them that only train must be accused of nothing, and the fallback of small ones be found.
#
#   lab/hostile.sh [SEED]        1
#   HOURS=6 lab/hostile.sh       hours of the fleet, 24 by default
#   TIMES=48 lab/hostile.sh      how many of them in one, 24 by default
#
# Before it: what share of its partition's thread such a job takes, what 300,000 communicators of one job cost, and whether the masks hide any of ten million lines without secrets. Prints a line for each hour. Exit code: 0 nothing had to be started again and nobody was accused, 1 otherwise.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
exec "$root/mvnw" -q -o test -Dquick -f "$root/pom.xml" -pl lab -am '-Dtest=HostileJobCostRun,ManyCommunicatorsRun,FalseMasksRun,HostileFleetRun' -Dsurefire.failIfNoSpecifiedTests=false -Dsurefire.forks=1 -Dsurefire.timeout=7200 -Dsurefire.jvm=-XX:+UseSerialGC \
  "-Dringside.hostile.seed=${1:-1}" "-Dringside.hostile.time=PT${HOURS:-24}H" "-Dringside.hostile.times=${TIMES:-24}"
