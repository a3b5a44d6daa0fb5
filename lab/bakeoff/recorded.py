#!/usr/bin/env python3
"""Judges recordings whose truth lies within their folder, and says of each whether Ringside is right.

  recorded.py FOLDER…     each a recording, or a folder of recordings

The truth is `truth.json` with `ranks` (empty where nothing is wrong), or `fault_injection.log` with `Fault ranks: [12, 14]`. Right is who
calls those ranks and no others late, hung or dead, in findings of warning and critical together; of a job without a fault, who finds
nothing above a note. Prints a table as Markdown; exits with 1 if one is wrong. RINGSIDE is the launcher, if it shall be another than this clone's.

Python 3.9 and nothing else.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent

# What names a culprit.
BLAMING = {"straggler", "late-start", "hang", "job-failed"}


def truth(folder):
    """Ranks to blame; None where nothing says."""
    if (folder / "truth.json").is_file():
        return set(json.loads((folder / "truth.json").read_text())["ranks"])
    if (folder / "fault_injection.log").is_file():
        said = re.search(r"^Fault ranks: \[([\d, ]*)\]", (folder / "fault_injection.log").read_text(), re.MULTILINE)
        return {int(rank) for rank in re.findall(r"\d+", said.group(1))} if said else None
    return None


def recordings(paths):
    for path in paths:
        if truth(path) is not None:
            yield path
        else:
            yield from (below for below in sorted(path.iterdir()) if below.is_dir() and truth(below) is not None)


def above_notes(answer):
    return [finding for job in answer["jobs"] for finding in job["findings"] if finding["severity"] != "info"]


def right(ranks, findings):
    if not ranks:
        return not findings
    named = [set(finding["ranks"]) for finding in findings if finding["kind"] in BLAMING]
    return set().union(*named) == ranks


def words(ranks):
    return ", ".join(map(str, sorted(ranks))) or "nobody"


def analyzed(folder):
    ringside = os.environ.get("RINGSIDE", str(REPOSITORY / "ringside"))
    done = subprocess.run([ringside, "analyze", "--format", "json", str(folder)], capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def main(paths):
    wrong = judged = 0
    print("| recording | to blame | told | |\n|---|---|---|---|")
    for folder in recordings(map(pathlib.Path, paths)):
        ranks, answer = truth(folder), analyzed(folder)
        findings = above_notes(answer)
        told = "; ".join(f"{finding['kind']}: {words(finding['ranks'])}" for finding in findings) or "nothing above a note"
        judged += 1
        wrong += not right(ranks, findings)
        print(f"| {folder.name} | {words(ranks)} | {told} | {'right' if right(ranks, findings) else '**wrong**'} |", flush=True)
    print(f"\n{judged - wrong} of {judged} right")
    return 1 if wrong or not judged else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
