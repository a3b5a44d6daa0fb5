#!/bin/sh
# Nanoseconds and bytes a line of the line parser, beside regular expressions, java-grok and RE2/J, in one run on core 1: two minutes.
#
#   benchmarks/parser/speed.sh [FILE]     made-up lines, or the lines of a file
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd -P)
. "$root/.mvn/find-jdk.sh"
find_jdk
modules=$root/benchmarks/target/quick/classes:$root/streams-app/target/quick/classes:$root/schemas/target/quick/classes
libraries=$root/benchmarks/target/parser.classpath
echo "building" >&2
(cd "$root" && ./mvnw -q -B -Dquick -Dmaven.test.skip=true -pl benchmarks -am package dependency:build-classpath \
  -Dmdep.outputFile="$libraries") >/dev/null 2>&1 ||
  { echo "the build failed: ./mvnw -Dquick -Dmaven.test.skip=true -pl benchmarks -am package" >&2; exit 1; }
taskset -c 1 "$JAVA_HOME/bin/java" -cp "$modules:$(cat "$libraries")" org.openjdk.jmh.Main ParseBenchmark \
  -p corpus="${1:-}" -prof gc -wi 5 -i 4 -w 2 -r 2 |
  grep -E '^(Benchmark|ParseB)' | grep -vE ':gc.(count|time|alloc.rate )'
