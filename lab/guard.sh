#!/bin/sh
# Whether this tree costs more than a commit: takes short forms of the benchmarks by turns with both, three turns, and prints
# the ratio of each figure with how far it was from turn to turn. About five minutes; inputs, the commit's build and what was
# measured lie in .ringside/guard.
#
#   lab/guard.sh [COMMIT]      the commit before this one
#   AGENT=1 lab/guard.sh       the agent's backlog as well, with a broker: a minute a turn and side
#   TURNS=5 lab/guard.sh
#
# What an old commit cannot run, for it lacks classes that a benchmark of this tree calls, is named and left out.
#
# Exit code: 0 nothing costs more, 1 something costs more than 1.05 times as much beyond what turns differ by, 2 it could
# not be told.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
commit=$(git -C "$root" rev-parse --verify --quiet "${1:-HEAD^}^{commit}") || {
  echo "guard: there is no commit ${1:-HEAD^}" >&2
  exit 2
}
turns=${TURNS:-3}
work=$root/.ringside/guard
base=$work/$(echo "$commit" | cut -c 1-12)
inputs=$work/inputs
figures=$work/figures
. "$root/.mvn/find-jdk.sh"
find_jdk
java=$JAVA_HOME/bin/java

fail() {
  echo "guard: $1" >&2
  exit 2
}

build() { # TREE
  echo "building $1" >&2
  (cd "$1" && ./mvnw -q -B -Dquick -Dmaven.test.skip=true -pl benchmarks -am package dependency:build-classpath \
    -Dmdep.outputFile=target/guard.classpath) >"$work/build.log" 2>&1 || fail "the build failed, see $work/build.log"
  # the launcher's own build and cache of classes
  "$1/ringside" analyze --json "$1/examples/recordings/healthy" >/dev/null 2>>"$work/build.log" ||
    fail "analyze does not run, see $work/build.log"
}

# The benchmarks of this tree on the classes of either.
classpath() { # TREE
  all=$root/benchmarks/target/quick/classes
  for module in schemas platform shipper streams-app standalone lab; do
    all=$all:$1/$module/target/quick/classes
  done
  echo "$all:$(cat "$1/benchmarks/target/guard.classpath")"
}

# Processor time of a command and all that it starts, in seconds; nothing if it fails.
cpu() {
  ("$@" >/dev/null 2>"$work/cpu.log" && times) | awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } printf "%.2f\n", s }'
}

parser() { # TREE: nanoseconds a line
  "$java" -Xmx1g -XX:+UseSerialGC -cp "$(classpath "$1")" io.ringside.benchmarks.parse.ParserTime 2>"$work/parser.log"
}

# shellcheck disable=SC2046 # NODE=FOLDER are words, and no name of theirs has blanks
stages() { # TREE: nanoseconds a line
  "$java" -Xmx1g -XX:+UseSerialGC -XX:+UseCompactObjectHeaders --sun-misc-unsafe-memory-access=allow \
    -cp "$(classpath "$1")" io.ringside.benchmarks.service.Stages $(cat "$inputs/100m.nodes") 2>"$work/stages.log"
}

small() { cpu "$1/ringside" analyze --json "$inputs/small.log"; }

# shellcheck disable=SC2046
large() { cpu "$1/ringside" analyze --json $(cat "$inputs/100m.nodes"); }

agent() { # TREE: processor seconds a million lines
  RUNS=1 BARE=0 "$1/benchmarks/agent/backlog.sh" >"$work/agent.log" 2>&1
  sed -n 's/^agent: .*marginal \([0-9.]*\);.*/\1/p' "$work/agent.log"
}

mixed() { # NAME BYTES
  [ -s "$inputs/$1.nodes" ] ||
    "$java" -cp "$(classpath "$root")" io.ringside.benchmarks.analyze.MixedLogs "$inputs/$1" "$2" >"$inputs/$1.nodes" 2>/dev/null ||
    fail "the logs could not be made"
}

mkdir -p "$inputs" "$base"
[ -f "$base/pom.xml" ] || git -C "$root" archive "$commit" | tar -x -C "$base"
[ -f "$base/benchmarks/target/guard.classpath" ] || build "$base"
build "$root"
mixed 10m 10000000
mixed 100m 100000000
log=$(find "$inputs/10m" -name '*.log' -size +200k | sort | head -n 1)
head -c 100000 "$log" >"$inputs/small.log"

measures="parser stages small large"
[ "${AGENT:-0}" = 0 ] || measures="$measures agent"
if ! stages "$base" >/dev/null && grep -q NoClassDefFoundError "$work/stages.log"; then
  echo "guard: $commit lacks $(sed -n 's/.*NoClassDefFoundError: //p' "$work/stages.log" | head -n 1): the service's stages are not compared" >&2
  measures=$(echo "$measures" | sed 's/stages //')
fi
: >"$figures"
turn=1
while [ "$turn" -le "$turns" ]; do
  for measure in $measures; do
    # who goes first changes from turn to turn
    [ $((turn % 2)) = 1 ] && order="before now" || order="now before"
    for side in $order; do
      [ "$side" = now ] && tree=$root || tree=$base
      figure=$($measure "$tree") && [ -n "$figure" ] || fail "$measure of $tree could not be measured"
      echo "$measure $turn $side $figure" | tee -a "$figures" >&2
    done
  done
  turn=$((turn + 1))
done

awk -v commit="$(git -C "$root" describe --always "$commit")" '
  { value[$1, $2, $3] = $4; if (!($1 in seen)) { seen[$1] = 1; order[++measures] = $1 }; if ($2 > turns) turns = $2 }
  BEGIN {
    name["parser"] = "parser, ns a line"; name["stages"] = "service without Kafka, ns a line"
    name["small"] = "analyze of 100 kB, CPU-s"; name["large"] = "analyze of 100 MB, CPU-s"; name["agent"] = "agent, CPU-s a million lines"
  }
  END {
    printf "%-34s %10s %10s   ratio (from turn to turn)\n", "", commit, "this tree"
    for (m = 1; m <= measures; m++) {
      k = order[m]; before = now = logs = 0; least = 1e9; most = 0
      for (t = 1; t <= turns; t++) {
        r = value[k, t, "now"] / value[k, t, "before"]
        before += value[k, t, "before"]; now += value[k, t, "now"]; logs += log(r)
        if (r < least) least = r
        if (r > most) most = r
      }
      ratio = exp(logs / turns); noise = (most - least) / 2
      worse = ratio - noise > 1.05; failed += worse
      printf "%-34s %10.2f %10.2f   %.2f (%.2f to %.2f)%s\n", name[k], before / turns, now / turns, ratio, least, most, worse ? "  costs more" : ""
    }
    exit failed > 0
  }' "$figures"
