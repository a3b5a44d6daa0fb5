"""PyTorch's own analyser of flight-recorder dumps (pip install torch). It names nobody in one sentence: taken are the
ranks that it calls missing in the first mismatch of each process group, and culprits of mismatched calls."""

import json
import re
import subprocess
import sys

kind, folder = sys.argv[1], sys.argv[2]
if kind != "dumps":
    print(json.dumps({"declined": "reads flight-recorder dumps"}))
    sys.exit()
done = subprocess.run([sys.executable, "-m", "torch.distributed.flight_recorder.fr_trace", folder], capture_output=True, text=True)
if done.returncode != 0 and "prefix" in done.stderr:
    done = subprocess.run([sys.executable, "-m", "torch.distributed.flight_recorder.fr_trace", folder, "-p", "_dump_"],
                          capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stderr)
ranks, groups = set(), set()
for part in re.split(r"(?=Not all ranks joining collective|Collective sequence number)", done.stdout + done.stderr):
    group = re.search(r"group info: (\S+)", part)
    missing = re.search(r"missing ranks: \{([\d, ]+)\}", part)
    named = re.findall(r"\d+", missing.group(1)) if missing else re.findall(r"Culprit rank (\d+)", part)
    if group and named and group.group(1) not in groups:
        groups.add(group.group(1))
        ranks.update(map(int, named))
mismatch = "Not all ranks joining" in done.stdout + done.stderr or ranks
print(json.dumps({"findings": [{"class": "hang", "ranks": sorted(ranks)}] if mismatch else []}))
