#!/bin/sh
# How long somebody who has just unpacked a release waits for an answer: `ringside analyze -` of 100 kB out of a fresh
# tarball, then once more, then with the tarball's files still on the disk alone; and `java -jar` of the one jar. Seconds by the
# clock, of the processor, and as many times what the same Java takes to say its version. A minute, and two for the build.
#
#   benchmarks/first-answer.sh                 builds what `./ringside dist` makes
#   benchmarks/first-answer.sh TARBALL JAR     takes these
#   CALLS=9 benchmarks/first-answer.sh         so many calls in place of five for the medians
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/.mvn/find-jdk.sh"
find_jdk
calls=${CALLS:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# = 0 ]; then
  "$root/ringside" dist "$work/dist" >&2
  set -- "$work"/dist/*.tar.gz "$work"/dist/*.jar
fi
gzip -dc "$root"/examples/recordings/slowcoll/pods/*node-0-0*/trainer/0.log.gz | head -c 100000 >"$work/log"

# Seconds by the clock and of the processor that a command takes over the log.
timed() {
  began=$(date +%s%N)
  spent=$( ("$@" <"$work/log" >"$work/answer" && times) | awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } print s }')
  ended=$(date +%s%N)
  [ -n "$spent" ] && [ -s "$work/answer" ] || {
    echo "first-answer: no answer from $*" >&2
    exit 1
  }
  echo "$(((ended - began) / 1000000)) $spent"
}

# Of so many calls the median of each, after `before` each time.
median() { # BEFORE COMMAND…
  before=$1
  shift
  i=0
  while [ "$i" -lt "$calls" ]; do
    $before
    timed "$@"
    i=$((i + 1))
  done >"$work/calls"
  echo "$(cut -d ' ' -f 1 "$work/calls" | middle) $(cut -d ' ' -f 2 "$work/calls" | middle)"
}

middle() { sort -n | sed -n "$(((calls + 1) / 2))p"; }

# Has the system forget what it read of the tarball and of the jar.
forget() {
  find "$work/fresh" "$jar" -type f -exec dd if={} iflag=nocache count=0 status=none \;
}

row() { # NAME MILLISECONDS CPU-SECONDS BARE
  awk -v name="$1" -v wall="$2" -v cpu="$3" -v bare="$4" 'BEGIN { printf "%-64s %6.2f %6.2f %7.1f\n", name, wall / 1000, cpu, wall / bare }'
}

jar=$2
# without the optimising compiler and the collector of servers
quick="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
mkdir "$work/fresh"
tar -xzf "$1" -C "$work/fresh"
fresh=$(echo "$work"/fresh/*)
# what is only in memory yet could not be forgotten
sync
# shellcheck disable=SC2046,SC2086 # words
{
  first=$(timed "$fresh/bin/ringside" analyze -)
  second=$(timed "$fresh/bin/ringside" analyze -)
  java=$(median : "$fresh/runtime/bin/java" --version)
  bare=${java% *}
  printf '%-64s %6s %6s %7s\n' "100 kB on standard input, seconds" clock CPU "x bare"
  row "tarball, just unpacked: first call" $first "$bare"
  row "tarball: second call" $second "$bare"
  row "tarball: further calls, median" $(median : "$fresh/bin/ringside" analyze -) "$bare"
  row "tarball, read from the disk, median" $(median forget "$fresh/bin/ringside" analyze -) "$bare"
  row "java -jar, median" $(median : "$JAVA_HOME/bin/java" -jar "$jar" analyze -) "$bare"
  row "java $quick -jar, median" $(median : "$JAVA_HOME/bin/java" $quick -jar "$jar" analyze -) "$bare"
  row "bare: the tarball's java --version, median" $java "$bare"
}
cut -d ' ' -f 1-3 /proc/loadavg | sed 's/^/load of 1, 5 and 15 minutes: /'
