#!/usr/bin/env python3
"""Plays the public traces of ByteDance-Seed/StragglerAnalysis as logs of NCCL and Megatron, and compares Ringside's bill with what
their simulator says. Nothing of a trace is kept here. Needs pyarrow.

  git clone https://github.com/ByteDance-Seed/StragglerAnalysis
  stragglers.py StragglerAnalysis/data WORK

A trace has some dozens of steps of a job, each beginning at 0: they are put one behind the other. A worker is a rank; a call of NCCL
is a line at the time at which its operation began.
"""

import collections
import datetime
import json
import os
import pathlib
import subprocess
import sys

import pyarrow.parquet

BEGIN = datetime.datetime(2026, 1, 1)
HOST_GPUS = 8
LAUNCHER = pathlib.Path(__file__).resolve().parent.parent.parent / "ringside"


def groups(dp, pp, replica, stage):
    """What a worker is in, and its number there and that of all; Megatron's order."""
    yield "world", stage * dp + replica, dp * pp
    yield f"data{stage}", replica, dp
    yield f"pipe{replica}", stage, pp
    if stage in (0, pp - 1):
        yield f"embedding{replica}", int(stage > 0), 2


def calls(optype, pp, replica, stage):
    """Operation, group and peer of what a worker says; nothing of what stays within it."""
    return {
        "params-all-gather": ("AllGather", f"data{stage}", 0),
        "grads-reduce-scatter": ("ReduceScatter", f"data{stage}", 0),
        "embedding-grads-all-reduce": ("AllReduce", f"embedding{replica}", 0),
        "optimizer-clip-main-grad": ("AllReduce", "world", 0),
        "forward-send": ("Send", f"pipe{replica}", stage + 1),
        "forward-recv": ("Recv", f"pipe{replica}", stage - 1),
        "backward-send": ("Send", f"pipe{replica}", stage - 1),
        "backward-recv": ("Recv", f"pipe{replica}", stage + 1),
    }.get(optype)


class Log:
    def __init__(self, dp):
        self.dp, self.names, self.lines = dp, {}, collections.defaultdict(list)

    def say(self, seconds, replica, stage, words):
        rank = stage * self.dp + replica
        at = (BEGIN + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z"
        self.lines[rank // HOST_GPUS].append(f"{at} stdout F {words}")

    def nccl(self, seconds, replica, stage, words):
        rank = stage * self.dp + replica
        self.say(seconds, replica, stage, f"host{rank // HOST_GPUS}:{100 + rank}:{100 + rank} [{rank % HOST_GPUS}] NCCL INFO {words}")

    def pointer(self, rank, group):
        return f"0x55{rank:04x}{self.names.setdefault(group, len(self.names)):06x}"

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for host, lines in self.lines.items():
            (folder / f"host{host}.log").write_text("\n".join(sorted(lines)) + "\n")


def played(trace, folder):
    """Writes the logs."""
    rows = pyarrow.parquet.read_table(trace, columns=["step", "dp_rank", "stage", "optype", "start_ts", "duration"]).to_pylist()
    dp, pp = 1 + max(row["dp_rank"] for row in rows), 1 + max(row["stage"] for row in rows)
    log, sizes = Log(dp), {}
    for replica in range(dp):
        for stage in range(pp):
            rank = stage * dp + replica
            log.nccl(0, replica, stage, "NCCL version 2.19.3+cuda12.2")
            for group, place, size in groups(dp, pp, replica, stage):
                sizes[group] = size
                gpu = rank % HOST_GPUS
                log.nccl(1 + 1e-4 * rank, replica, stage,
                         f"ncclCommInitRank comm {log.pointer(rank, group)} rank {place} nranks {size} cudaDev {gpu} nvmlDev {gpu} "
                         f"busId {1 + gpu}000 commId 0x{0x1000 + log.names[group]:016x} - Init COMPLETE")
    ends = collections.defaultdict(float)
    for row in rows:
        ends[row["step"]] = max(ends[row["step"]], row["start_ts"] + row["duration"])
    begins, at = {}, 2.0
    for step in sorted(ends):
        begins[step], at = at, at + ends[step]
    for row in rows:
        replica, stage = row["dp_rank"], row["stage"]
        call = calls(row["optype"], pp, replica, stage)
        if call:
            operation, group, peer = call
            log.nccl(begins[row["step"]] + row["start_ts"], replica, stage,
                     f"{operation}: opCount 0 sendbuff 0x7f00 recvbuff 0x7f00 count 1048576 datatype 9 op 0 root {peer} comm "
                     f"{log.pointer(stage * dp + replica, group)} [nranks={sizes[group]}] stream 0x5580")
    for number, step in enumerate(sorted(ends), 1):
        log.say(begins[step] + ends[step], dp - 1, pp - 1,
                f" iteration {number:8}/{len(ends):8} | consumed samples: {64 * number:12} | elapsed time per iteration (ms): "
                f"{1000 * ends[step]:.1f} | learning rate: 1.000000E-05 | global batch size:    64 |")
    log.write(folder)


def main():
    data, work = map(pathlib.Path, sys.argv[1:])
    for trace in sorted(data.glob("trace-*.parquet")):
        name = trace.stem.removeprefix("trace-")
        played(trace, work / name)
        told = json.loads((data / f"result-{name}.json").read_text())
        done = subprocess.run([os.environ.get("RINGSIDE", str(LAUNCHER)), "analyze", "--format", "json", str(work / name)],
                              capture_output=True, text=True)
        if done.returncode not in (0, 4):
            sys.exit(done.stderr)
        job = json.loads(done.stdout)["jobs"][0]
        lost = [f"{item['cause']} {item['ranks']}: {item['seconds']:.1f} s ({item['lowSeconds']:.1f} to {item['highSeconds']:.1f})"
                for run in job["runs"] for item in run.get("bill", {}).get("items", [])]
        steps = sum(told["step_t_base"].values())
        saved = sum(item["seconds"] for run in job["runs"] for item in run.get("bill", {}).get("items", []))
        print(f"{name}: {len(told['step_t_base'])} steps, {steps:.1f} s; expected {told['blocking_slowdown']:.3f} times as long, "
              f"billed {steps / (steps - saved):.3f}; {'; '.join(lost) or 'nothing'}")
        for finding in job["findings"]:
            print(f"    {finding['severity']} {finding['kind']} {finding['ranks']}: {finding['summary']}")


if __name__ == "__main__":
    main()
