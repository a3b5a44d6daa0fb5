#!/bin/sh
# How long after its fault a recorded job's culprit is named: plays the jobs of examples/witnesses, or the folders given, with their
# own timing through an agent, a broker and the service, with NCCL's RAS on loopback. Two minutes a job; readings of GPUs are not played.
#
#   lab/replay.sh                      all of examples/witnesses
#   lab/replay.sh FOLDER FAULT …       FOLDER with the kubelet's pods/ and ras.txt, FAULT in Unix seconds
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/.mvn/find-jdk.sh"
find_jdk
"$root/ringside" version >/dev/null
if [ $# = 0 ]; then
  cd "$root/examples/witnesses"
  # shellcheck disable=SC2046 # folder and time are words
  set -- $(grep -v '^#' faults.tsv)
fi
printf '%-24s %8s %8s  %s\n' job named critical 'who, by whom'
while [ $# -ge 2 ]; do
  "$JAVA_HOME/bin/java" "$root/lab/replay/Replay.java" "$root/ringside" "$1" "$2"
  shift 2
done
