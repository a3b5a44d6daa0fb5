# Builds what the benchmarks of the service need, without tests and checks, and runs their main classes. Sourced by the scripts beside it.
root=$(cd "$(dirname "$0")/../.." && pwd -P)
. "$root/.mvn/find-jdk.sh"
find_jdk
classes=$root/benchmarks/target/quick/classes
if [ ! -d "$classes/io/ringside/benchmarks/service" ] || [ -n "$(find "$root"/schemas/src/main "$root"/platform/src/main "$root"/shipper/src/main "$root"/streams-app/src/main \
  "$root"/standalone/src/main "$root"/lab/src/main "$root"/benchmarks/src/main -newer "$classes/io/ringside/benchmarks/service" -name '*.java' -print | head -n 1)" ]; then
  echo "building" >&2
  (cd "$root" && ./mvnw -q -B -Dquick -Dmaven.test.skip=true -pl benchmarks -am package) >/dev/null 2>&1 ||
    { echo "the build failed: ./mvnw -Dquick -Dmaven.test.skip=true -pl benchmarks -am package" >&2; exit 1; }
  touch "$classes/io/ringside/benchmarks/service"
fi
classpath=$classes:$root/lab/target/quick/classes:$root/standalone/target/quick/$(ls "$root/standalone/target/quick" | grep '^ringside-standalone-.*\.jar$' | head -n 1)

# run CLASS ARGUMENTS…: CLASS of io.ringside.benchmarks.service, with RINGSIDE_BENCH_OPTS for its JVM
run() {
  main=io.ringside.benchmarks.service.$1
  shift
  # shellcheck disable=SC2086 # options are words
  exec "$JAVA_HOME/bin/java" -Xmx1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
    --sun-misc-unsafe-memory-access=allow "-Dbench.service.image=$root/deploy/docker/options-streams" -Dlogback.configurationFile=logback-standalone.xml ${RINGSIDE_BENCH_OPTS:-} -cp "$classpath" "$main" "$@"
}
