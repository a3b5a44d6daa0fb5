#!/usr/bin/env python3
"""The bake-off: one set of cases with their truth, any program as an entrant, one score. See docs/bakeoff.md.

  bakeoff.py make SET [--jobs N] [--dumps N] [--seed S] [--real CHECKOUT]
  bakeoff.py run SET NAME -- COMMAND…      the case's folder is added to the command
  bakeoff.py score SET [--misses NAME]     the table of all entrants that ran, as Markdown

Python 3.9 and nothing else; `make` calls ./ringside for the generated logs.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

import dumps

VERSION = 1
HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent

# What Ringside's own truth calls a fault, as any program may call it. What is a note there is no fault here.
CLASSES = {
    "transport": ["efa-fallback", "network-fallback", "socket-transport", "shm-fallback", "p2p-read", "gdr-missing",
                  "gdr-disagreement", "nic-shortfall", "offload-missing", "link-degraded", "transport-regression"],
    "placement": ["split-placement"],
    "straggler": ["straggler"],
    "uneven-waits": ["barrier-wait"],
    "late-start": ["late-start"],
    "hang": ["hang"],
    "failed": ["job-failed"],
    "slow-steps": ["step-regression"],
    "nccl-error": ["nccl-error"],
    "network": ["network-errors"],
    "gpu": ["gpu-throttled", "gpu-error"],
    "bandwidth": ["bandwidth-below-expected"],
    "configuration": ["version-mismatch", "env-drift"],
}
CLASS_OF = {kind: name for name, kinds in CLASSES.items() for kind in kinds}

# Whom to blame is asked for these alone.
BLAMING = {"straggler", "late-start", "hang"}


def truth(faults):
    """One of each class, above a note; ranks of those that ask for blame."""
    merged = {}
    for fault in faults:
        name = CLASS_OF.get(fault["kind"])
        if name and fault["severity"] in ("warning", "critical"):
            ranks = merged.setdefault(name, set())
            if name in BLAMING:
                ranks.update(fault["ranks"])
    return [{"class": name, "ranks": sorted(ranks)} for name, ranks in sorted(merged.items())]


def noted(faults):
    """What is there and matters little: to say it is right, not to say it as well."""
    return {CLASS_OF[fault["kind"]] for fault in faults if fault["severity"] == "info" and fault["kind"] in CLASS_OF}


def recordings(target):
    folder = REPOSITORY / "examples" / "recordings"
    by_folder = {}
    for line in (folder / "truth.tsv").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, kind, severity, ranks = line.split()[:4]
            faults = by_folder.setdefault(name, [])
            if kind != "-":
                faults.append({"kind": kind, "severity": severity,
                               "ranks": [] if ranks == "-" else [int(rank) for rank in ranks.split(",")]})
    for name, faults in by_folder.items():
        shutil.copytree(folder / name, target / "recorded" / name)
        yield {"set": "recorded", "case": name, "kind": "logs", "truth": truth(faults), "tolerated": sorted(noted(faults))}


def generated(target, jobs, seed):
    folder = target / "generated"
    subprocess.run([str(REPOSITORY / "ringside"), "evaluate", "--write", str(folder), "--jobs", str(jobs), "--seed", str(seed),
                    "--max-ranks", "64", "--lines", "8000"], check=True, stdout=subprocess.DEVNULL)
    for line in (folder / "truth.jsonl").read_text().splitlines():
        job = json.loads(line)
        hard = any(fault["hard"] for fault in job["truth"])
        yield {"set": "generated, hard" if hard else "generated", "case": job["folder"], "kind": "node-logs",
               "truth": truth(job["truth"]), "words": job["words"],
               "tolerated": sorted({CLASS_OF[kind] for kind in job["tolerated"] if kind in CLASS_OF} | noted(job["truth"]))}


def made_dumps(target, count, seed):
    for number in range(count):
        name = f"dumps-{number:03d}"
        yield {"set": "made dumps", "case": name, "kind": "dumps", "tolerated": [],
               "truth": dumps.job(target / "made-dumps" / name, seed, number)}


def real(target, checkout):
    """Cases that are named and not kept: `real.jsonl` says in which public repository each lies."""
    for line in (HERE / "real.jsonl").read_text().splitlines():
        case = json.loads(line)
        source = pathlib.Path(checkout) / case["path"]
        if source.is_dir():
            folder = target / "real" / case["case"]
            folder.mkdir(parents=True)
            for file in source.glob(case["files"]):
                shutil.copy(file, folder)
            yield {"set": "real dumps", "case": case["case"], "kind": case["kind"], "truth": case["truth"], "tolerated": []}


def make(arguments):
    target = pathlib.Path(arguments.set)
    target.mkdir(parents=True)
    cases = list(recordings(target))
    cases += generated(target, arguments.jobs, arguments.seed) if arguments.jobs else []
    cases += made_dumps(target, arguments.dumps, arguments.seed)
    cases += real(target, arguments.real) if arguments.real else []
    with open(target / "cases.jsonl", "w") as out:
        out.write(json.dumps({"version": VERSION, "seed": arguments.seed, "cases": len(cases)}) + "\n")
        for case in cases:
            case["folder"] = {"made dumps": "made-dumps", "real dumps": "real"}.get(case["set"], case["set"].split(",")[0]) + "/" + case["case"]
            out.write(json.dumps(case) + "\n")
    print(f"{len(cases)} cases in {target}")


def cases_of(folder):
    lines = (pathlib.Path(folder) / "cases.jsonl").read_text().splitlines()
    head = json.loads(lines[0])
    if head["version"] != VERSION:
        sys.exit(f"bakeoff.py: {folder} is of version {head['version']}, this is {VERSION}")
    return [json.loads(line) for line in lines[1:]]


def run(arguments):
    target = pathlib.Path(arguments.set)
    with open(target / f"answers.{arguments.name}.jsonl", "w") as out:
        for case in cases_of(target):
            begin = time.monotonic()
            try:
                done = subprocess.run([*arguments.command, case["kind"], str(target / case["folder"])], capture_output=True,
                                      text=True, timeout=600)
                answer = json.loads(done.stdout) if done.returncode == 0 else {"failed": done.stderr.strip()[-300:]}
            except (subprocess.TimeoutExpired, json.JSONDecodeError) as failure:
                answer = {"failed": str(failure)[:300]}
            answer.update(case=case["folder"], seconds=round(time.monotonic() - begin, 2))
            out.write(json.dumps(answer) + "\n")
            out.flush()


def judged(case, answer):
    """What of a case was right: (hits, wrong ranks, missed, false alarms), classes each."""
    told = {}
    for finding in answer.get("findings", []):
        told.setdefault(finding["class"], set()).update(finding.get("ranks") or [])
    hits, ranks, missed = [], [], []
    for fault in case["truth"]:
        name = fault["class"]
        if name not in told:
            missed.append(name)
        elif fault["ranks"] and told[name] != set(fault["ranks"]):
            ranks.append(f"{name}: {sorted(told[name]) or 'nobody'} instead of {fault['ranks']}")
        else:
            hits.append(name)
    true = {fault["class"] for fault in case["truth"]} | set(case["tolerated"])
    return hits, ranks, missed, sorted(set(told) - true)


def score(arguments):
    target = pathlib.Path(arguments.set)
    cases = cases_of(target)
    sets = list(dict.fromkeys(case["set"] for case in cases))
    print("| cases | entrant | faults | found, right ranks | found, wrong ranks | missed | false alarms | of healthy cases | declined |")
    print("|---|---|---|---|---|---|---|---|---|")
    misses = []
    for name in sets:
        for file in sorted(target.glob("answers.*.jsonl")):
            entrant = file.name.split(".", 1)[1].rsplit(".", 1)[0]
            answers = {answer["case"]: answer for answer in map(json.loads, file.read_text().splitlines())}
            if all("declined" in answers.get(case["folder"], {}) for case in cases if case["set"] == name):
                continue
            counts = {"faults": 0, "hits": 0, "ranks": 0, "missed": 0, "alarms": 0, "healthy": 0, "well": 0, "declined": 0}
            for case in (case for case in cases if case["set"] == name):
                answer = answers.get(case["folder"], {"failed": "no answer"})
                if "declined" in answer:
                    counts["declined"] += 1
                    continue
                counts["faults"] += len(case["truth"])
                counts["healthy"] += not case["truth"]
                hits, ranks, missed, alarms = judged(case, answer)
                counts["hits"] += len(hits)
                counts["ranks"] += len(ranks)
                counts["missed"] += len(missed)
                counts["alarms"] += len(alarms)
                counts["well"] += not case["truth"] and not alarms and "failed" not in answer
                if entrant == arguments.misses and (ranks or missed or alarms or "failed" in answer):
                    misses.append((name, case["case"], ranks, missed, alarms, answer.get("failed", ""), case.get("words", "")))
            print(f"| {name} | {entrant} | {counts['faults']} | {counts['hits']} | {counts['ranks']} | {counts['missed']} "
                  f"| {counts['alarms']} | {counts['well']} of {counts['healthy']} clean | {counts['declined']} |")
    if arguments.misses:
        print(f"\n| case | what {arguments.misses} got wrong |\n|---|---|")
        for name, case, ranks, missed, alarms, failed, words in misses:
            said = [*ranks, *(f"missed {it}" for it in missed), *(f"false {it}" for it in alarms), *([failed] if failed else [])]
            print(f"| {name}: {case} | {'; '.join(said)}{' (' + words[:200] + ')' if words else ''} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    making = commands.add_parser("make")
    making.add_argument("set")
    making.add_argument("--jobs", type=int, default=120)
    making.add_argument("--dumps", type=int, default=40)
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--real")
    making.set_defaults(does=make)
    running = commands.add_parser("run")
    running.add_argument("set")
    running.add_argument("name")
    running.add_argument("command", nargs="+")
    running.set_defaults(does=run)
    scoring = commands.add_parser("score")
    scoring.add_argument("set")
    scoring.add_argument("--misses")
    scoring.set_defaults(does=score)
    arguments = parser.parse_args()
    arguments.does(arguments)


if __name__ == "__main__":
    main()
