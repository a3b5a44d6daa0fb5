#!/bin/sh
# Whether two builds find the same: judges each folder in FOLDER, or FOLDER itself when it holds files only, with
# the launchers of two clones, and prints what differs in the JSON but for the time of detection.
# Exit code: 0 nothing, 1 something, 2 it could not be told.
set -eu

[ $# = 3 ] && [ -d "$1" ] && [ -x "$2/ringside" ] && [ -x "$3/ringside" ] || {
  echo "usage: lab/same-findings.sh FOLDER BUILD_A BUILD_B    (two clones)" >&2
  exit 2
}
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

judge() { # BUILD LOGS OUTPUT
  code=0
  "$1/ringside" analyze --json "$2" >"$3.json" 2>"$3.err" || code=$?
  sed '/^ *"detectedAt" : /d' "$3.json" >"$3"
  echo "exit code $code" >>"$3"
  if [ ! -s "$3.json" ]; then
    cat "$3.err" >>"$3"
  fi
}

set -- "$2" "$3" "$folder"/*/
[ -d "$3" ] || set -- "$1" "$2" "$folder"
a=$1 b=$2
shift 2
differing=0 judged=0
for logs in "$@"; do
  judge "$a" "$logs" "$work/a"
  judge "$b" "$logs" "$work/b"
  judged=$((judged + 1))
  if ! diff -u --label "$a: $logs" --label "$b: $logs" "$work/a" "$work/b"; then
    differing=$((differing + 1))
  fi
done
echo "$judged judged, $differing differ" >&2
[ "$differing" = 0 ]
