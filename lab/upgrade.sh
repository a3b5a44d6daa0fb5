#!/bin/sh
# An update from a commit to this tree, and back, on a broker in a process of its own. The commit's service and agent watch recorded jobs. As in a
# roll-out by stages this tree's service takes over first, its broker and state, while the commit's agent goes on; then this tree's agent, its checkpoints;
# the jobs go on all the time. At last both are replaced by the commit's again. A Prometheus with this tree's rules watches all of it. Needs Debian's
# prometheus and curl; about eight minutes beside the builds. All of it lies in .ringside/upgrade.
#
#   lab/upgrade.sh COMMIT
#
# Prints what each step found, and how many pages were told again. Exit code: 0 no finding was lost and nobody was paged for the update, 1 one was, 2 it could not be told.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
commit=$(git -C "$root" rev-parse --verify --quiet "${1:?a commit}^{commit}") || {
  echo "upgrade: there is no commit $1" >&2
  exit 2
}
base=$root/.ringside/upgrade/$(echo "$commit" | cut -c 1-12)
work=$root/.ringside/upgrade/run
recordings="seed-g6e-efa-fallback slowcoll hang p2pread healthy late restarted"
. "$root/.mvn/find-jdk.sh"
find_jdk
java=$JAVA_HOME/bin/java
running=

fail() {
  echo "upgrade: $1" >&2
  exit 2
}

stop() { # NAME: in order, as Kubernetes does
  pid=$(cat "$work/$1.pid" 2>/dev/null) || return 0
  rm -f "$work/$1.pid"
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
}

trap 'for name in $running; do stop "$name"; done' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

start() { # NAME COMMAND…
  name=$1
  shift
  "$@" >>"$work/$name.log" 2>&1 &
  echo $! >"$work/$name.pid"
  case " $running " in *" $name "*) ;; *) running="$name $running" ;; esac
}

until_answers() { # NAME URL
  tries=0
  until curl -fsS -m 3 "$2" >/dev/null 2>&1; do
    tries=$((tries + 1))
    kill -0 "$(cat "$work/$1.pid")" 2>/dev/null && [ "$tries" -lt 360 ] || fail "$1 does not start, see $work/$1.log"
    sleep 0.5
  done
}

build() { # TREE
  echo "building $1" >&2
  "$1/ringside" analyze --json "$1/examples/recordings/healthy" >/dev/null 2>"$work/build.log" || fail "$1 does not run, see $work/build.log"
}

free_port() { # below those that the kernel gives to clients
  port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 10000))
  while curl -s -m 1 "http://127.0.0.1:$port/" >/dev/null 2>&1 || [ $? != 7 ]; do port=$((port + 1)); done
  echo "$port"
}

# The program of a tree, with the options of its image.
program() { # TREE MAIN ARGUMENTS…
  tree=$1 main=$2
  shift 2
  exec "$java" -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseCompactObjectHeaders --sun-misc-unsafe-memory-access=allow \
    --enable-native-access=ALL-UNNAMED -cp "$tree/standalone/target/quick/lib/*" "$main" "$@"
}

serve() { # TREE APPLICATION
  stop service
  start service program "$1" io.ringside.streams.StreamsAppMain --bootstrap-servers "127.0.0.1:$broker" --application-id "$2" \
    --state-dir "$work/state-$2" --http-host 127.0.0.1 --http-port "$service"
  until_answers service "http://127.0.0.1:$service/readyz"
}

ship() { # TREE
  stop agent
  start agent program "$1" io.ringside.shipper.ShipperMain --node n1 --bootstrap "127.0.0.1:$broker" --checkpoints "$work/checkpoints.json" \
    --logs "$work/logs/*/*.log,$work/logs/*/pods/*/*/*.log" --set "gpu.enabled=false" --set http.host=127.0.0.1 --set "http.port=$agent"
  until_answers agent "http://127.0.0.1:$agent/healthz"
}

lay_down() {
  stop agent
  stop service
}

# Lets every log grow to this share of it, in sixths.
grow() { # SIXTHS
  find "$work/whole" -name '*.log' | while read -r log; do
    grown=$work/logs/${log#"$work/whole/"}
    mkdir -p "$(dirname "$grown")"
    touch "$grown"
    lines=$(wc -l <"$log")
    have=$(wc -l <"$grown")
    sed -n "$((have + 1)),$((lines * $1 / 6))p" "$log" >>"$grown"
  done
}

# Job, kind and identity of every finding there is, in order.
findings() {
  curl -fsS -m 10 "http://127.0.0.1:$service/api/findings?limit=1000" >"$work/findings.json"
  tr ',' '\n' <"$work/findings.json" | sed -n 's/.*"id" *: *"\([^"]*\)".*/\1/p' | sort -u
}

# What is found once nothing new has come for twenty seconds.
settled() { # FILE
  quiet=0
  findings >"$1"
  while [ "$quiet" -lt 20 ]; do
    sleep 1
    findings >"$1.now"
    if cmp -s "$1" "$1.now"; then quiet=$((quiet + 1)); else quiet=0; fi
    mv "$1.now" "$1"
  done
}

query() { # PROMQL: a line a series
  curl -fsS -m 10 -G "http://127.0.0.1:$prometheus/api/v1/query" --data-urlencode "query=$1" | sed 's/{"metric":/\n&/g' | sed -n 's/^{"metric":{\(.*\)},"value":\[[0-9.]*,"\(.*\)"\].*/\1 \2/p' | sort
}

# Which versions run, by what they say of themselves.
versions() {
  sleep 3 # three scrapes
  for program in streams shipper; do
    told=$(query "count by (version, revision) (ringside_build_info{program=\"$program\"})" | sed 's/"\([a-z]*\)":"\([^"]*\)"/\1 \2/g; s/,\([a-z]\)/, \1/g; s/ [0-9]*$//')
    echo "  $program runs as: ${told:-a version without ringside_build_info}"
  done
}

mkdir -p "$base"
rm -rf "$work"
mkdir -p "$work/logs" "$work/whole"
command -v prometheus >/dev/null || fail "needs prometheus"
[ -f "$base/pom.xml" ] || git -C "$root" archive "$commit" | tar -x -C "$base"
build "$base"
build "$root"

for name in $recordings; do
  (cd "$root/examples/recordings/$name" && find . -name '*.log.gz') | while read -r log; do
    mkdir -p "$(dirname "$work/whole/$name/$log")"
    gzip -dc "$root/examples/recordings/$name/$log" >"$work/whole/$name/${log%.gz}"
  done
done

broker=$(free_port)
controller=$(free_port)
service=$(free_port)
agent=$(free_port)
prometheus=$(free_port)
cat >"$work/server.properties" <<EOF
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$broker,CONTROLLER://127.0.0.1:$controller
controller.listener.names=CONTROLLER
log.dirs=$work/kafka
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
num.partitions=3
EOF
# pages are held for seconds here, not minutes
sed 's/\[5m\] offset 6m/[5s] offset 6s/' "$root/deploy/prometheus/rules/ringside.yaml" >"$work/rules.yaml"
cat >"$work/prometheus.yaml" <<EOF
global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: ["$work/rules.yaml"]
scrape_configs:
  - job_name: ringside-streams
    honor_labels: true
    static_configs: [{targets: ["127.0.0.1:$service"], labels: {namespace: ringside}}]
  - job_name: ringside-shipper
    honor_labels: true
    static_configs: [{targets: ["127.0.0.1:$agent"], labels: {namespace: ringside-agents}}]
EOF
(program "$root" kafka.tools.StorageTool format -t "$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | cut -c 1-22)" -c "$work/server.properties") >"$work/format.log" 2>&1 ||
  fail "the broker's folder cannot be made, see $work/format.log"

start broker program "$root" kafka.Kafka "$work/server.properties"
start prometheus prometheus --config.file="$work/prometheus.yaml" --storage.tsdb.path="$work/prometheus" \
  --web.listen-address="127.0.0.1:$prometheus"
until_answers prometheus "http://127.0.0.1:$prometheus/-/ready"

lost=0

# What the first file names and the second does not.
gone() { # BEFORE AFTER WHEN
  missing=$(comm -23 "$1" "$2" | tr '\n' ' ')
  [ -z "$missing" ] || {
    echo "  lost $3: $missing"
    lost=1
  }
}

jobs_of() { cut -d : -f 1 "$1" | sort -u; }

echo "$(git -C "$root" describe --always "$commit")"
serve "$base" ringside-streams
ship "$base"
grow 2
settled "$work/1"
echo "  a third of the lines: $(wc -l <"$work/1") findings of $(jobs_of "$work/1" | wc -l) jobs"
versions

echo "this tree's service, on its broker and state; the agent of before goes on"
serve "$root" ringside-streams
settled "$work/2"
gone "$work/1" "$work/2" "by the update of the service"
grow 3
settled "$work/2-later"
gone "$work/2" "$work/2-later" "later"
arrived=$(comm -13 "$work/2" "$work/2-later" | wc -l)
echo "  half of the lines: $(wc -l <"$work/2-later") findings of $(jobs_of "$work/2-later" | wc -l) jobs, $arrived of them by the agent of before"
versions

echo "this tree's agent, on its checkpoints"
ship "$root"
settled "$work/2-agent"
gone "$work/2-later" "$work/2-agent" "by the update of the agent"
grow 4
settled "$work/3"
gone "$work/2-agent" "$work/3" "later"
echo "  two thirds: $(wc -l <"$work/3") findings of $(jobs_of "$work/3" | wc -l) jobs"
versions
grep -o 'state of another version.*' "$work/service.log" | sed 's/store="[^"]*" //; s/^/  /' | sort | uniq -c | sort -rn | head -n 4 || true

# It does not understand what this tree wrote and does not say so: another applicationId reads the input topics again.
echo "back, with another applicationId"
lay_down
serve "$base" ringside-streams-back
ship "$base"
settled "$work/4"
gone "$work/1" "$work/4" "on the way back"
jobs_of "$work/3" >"$work/3.jobs"
jobs_of "$work/4" >"$work/4.jobs"
gone "$work/3.jobs" "$work/4.jobs" "on the way back, all of a job"
grow 6
settled "$work/5"
gone "$work/4" "$work/5" "later"
echo "  the rest: $(wc -l <"$work/5") findings of $(jobs_of "$work/5" | wc -l) jobs"
versions
lay_down

# A page of a job has its job's fault as cause; any other is of the update. What began twice was told twice.
pages='ALERTS{alertstate="firing",urgency="page"}'
query "sum by (alertname, namespace, job, kind) (sum_over_time(($pages unless $pages offset 2s)[1h:1s])) / 2" >"$work/pages"
[ -s "$work/pages" ] || fail "no page of the recorded jobs' own was seen"
echo "pages, and how often each began"
sed 's/^/  /' "$work/pages"
# A version that names no namespace of a job has that of Prometheus' target: with the other version the same page has another name, and is told again, there
# and on the way back. That is in docs/operations.md; from versions that both name it nothing is.
told='count by (alertname, job, kind) (count by (alertname, namespace, job, kind) (count_over_time('"$pages"'[1h])))'
unnamed='count by (alertname, job, kind) (count_over_time(ALERTS{alertstate="firing",urgency="page",namespace="ringside"}[1h]))'
query "$told - 1 > 0 and $unnamed" >"$work/renamed"
key() { sed 's/"namespace":"[^"]*",\{0,1\}//; s/,* [0-9]*$//' "$1"; }
paged=$(awk '!/"job":/ || $NF > 1' "$work/pages" | while read -r page; do
  echo "$page" >"$work/page"
  key "$work/renamed" | grep -qxF "$(key "$work/page")" || echo "$page"
done)
[ -z "$paged" ] || lost=1
query "$told - 1 > 0 unless $unnamed" >"$work/again"
echo "told again, since the versions name a job differently: $(awk '{ n += $NF } END { print n + 0 }' "$work/renamed")"
sed 's/^/  /' "$work/renamed"
echo "told again for no reason: $(awk '{ n += $NF } END { print n + 0 }' "$work/again")"
sed 's/^/  /' "$work/again"
[ ! -s "$work/again" ] || lost=1
exit $lost
