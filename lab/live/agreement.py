"""Whom NCCL Inspector and the arrivals of COLL lines wait for in the same rounds: `agreement.py FOLDER [MILLISECONDS]`.

FOLDER holds a job's logs as the kubelet writes them, in pods/, and the Inspector's JSON in inspector/. Rounds count in which the ranks'
times, or their arrivals, are apart by as many milliseconds, 20 if not given. Needs lines of rounds from the start of the job on."""

import collections
import gzip
import json
import re
import sys
from datetime import datetime
from pathlib import Path

LINE = re.compile(r"(\S+) std\w+ [FP] \S*?:(\d+):\d+ \[\d+\] NCCL INFO (.*)")
INIT = re.compile(r"ncclCommInit\w+ comm (0x\w+) rank (\d+) nranks \d+ .*commId (0x\w+)")
CALL = re.compile(r"(\w+): opCount .* comm (0x\w+)")


def lines(file):
    with (gzip.open if file.suffix == ".gz" else open)(file, "rt", errors="replace") as text:
        yield from text


def measured(folder):
    rounds = collections.defaultdict(dict)
    for file in filter(Path.is_file, folder.rglob("*")):
        for line in lines(file):
            try:
                said = json.loads(line)
            except ValueError:
                continue
            head, call = said.get("header", {}), said.get("coll_perf")
            if call:
                rounds[head["id"], call["coll"], call["coll_sn"]][head["rank"]] = call["coll_exec_time_us"]
    return rounds


def arrived(folder):
    rounds, calls, known = collections.defaultdict(dict), collections.Counter(), {}
    for file in filter(Path.is_file, folder.rglob("*.log*")):
        for line in lines(file):
            found = LINE.match(line)
            if not found:
                continue
            at, pid, text = found.groups()
            init = INIT.match(text)
            if init:
                known[pid, init[1]] = init[3][:16], int(init[2])
            call = CALL.match(text)
            if call and (pid, call[2]) in known:
                comm, rank = known[pid, call[2]]
                number = calls[comm, call[1], rank]
                calls[comm, call[1], rank] += 1
                rounds[comm, call[1], number][rank] = 1e6 * datetime.fromisoformat(at[:26] + "+00:00").timestamp()
    return rounds


def main(folder, limit=20.0):
    times, arrivals = measured(Path(folder) / "inspector"), arrived(Path(folder) / "pods")
    counts = collections.Counter()
    for key, own in times.items():
        came = arrivals.get(key, {})
        if len(own) < 2 or len(came) != len(own):
            continue
        waited = max(own.values()) - min(own.values()) >= 1000 * float(limit)
        apart = max(came.values()) - min(came.values()) >= 1000 * float(limit)
        same = min(own, key=own.get) == max(came, key=came.get)
        counts["both, the same rank" if same else "both, another rank"] += waited and apart
        counts["the Inspector alone"] += waited and not apart
        counts["arrivals alone"] += apart and not waited
        counts["rounds of all ranks"] += 1
    for what in ("rounds of all ranks", "both, the same rank", "both, another rank", "the Inspector alone", "arrivals alone"):
        print(f"{counts[what]:8d}  {what}")


if __name__ == "__main__":
    main(*sys.argv[1:])
