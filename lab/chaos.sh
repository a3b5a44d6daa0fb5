#!/bin/sh
# Three instances of the service, one by a clock that is an hour ahead, hostile jobs beside drawn ones, and round after round what can happen to
# instances and broker, each round with the next seed: SIGKILL, SIGSTOP, a pulled cable, a full disk, a slow broker. Findings and ledger must be those
# of one instance that nothing happened to, record by record. An hour, unattended.
#
#   lab/chaos.sh [SEED]         1
#   MINUTES=10 lab/chaos.sh     rounds begin for so long
#   AWAY=20 lab/chaos.sh        how long each disaster takes, 60 s by default
#
# Networks and the small disk are made in namespaces of its own, by root or by a user's namespace; where neither is allowed, wires of the test's own
# and a limit of the broker's process stand for them, and it says so. Needs iproute2; the clock needs Debian's package faketime.
# Exit code: 0 nothing differed, 1 something did.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
seed=${1:-1}

if [ "${RINGSIDE_CHAOS:-}" != apart ]; then
  for apart in "unshare --net --mount" "unshare --map-root-user --net --mount"; do
    if $apart sh -c 'mount -t tmpfs tmpfs /mnt && ip link set lo up && ip link add a type bridge' 2>/dev/null; then
      RINGSIDE_CHAOS=apart exec $apart "$0" "$seed"
    fi
  done
  echo "chaos: no namespaces here: cables are wires of the test's own, and the disk is full by a limit of the broker's process" >&2
  apart=
else
  mount -t tmpfs tmpfs /run
  ip link set lo up
  mount -t tmpfs -o size=1g tmpfs /mnt
  apart="-Dringside.chaos.networks=true -Dringside.chaos.disk=/mnt"
fi
# shellcheck disable=SC2086 # options are words
exec "$root/mvnw" -q -o test -Dquick -f "$root/pom.xml" -pl lab -am -Dtest=ChaosRun -Dsurefire.failIfNoSpecifiedTests=false -Dsurefire.timeout=7200 -Dsurefire.jvm=-XX:+UseSerialGC \
  "-Dringside.chaos.seed=$seed" "-Dringside.chaos.minutes=${MINUTES:-60}" "-Dringside.chaos.away=${AWAY:-60}" \
  -Dringside.chaos.jobs=8 -Dringside.chaos.markers=100 -Dringside.chaos.slower=2 $apart
