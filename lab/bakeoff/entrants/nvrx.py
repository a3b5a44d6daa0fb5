"""NVIDIA Resiliency Extension's analyser of flight-recorder dumps, without a language model: the ranks that its table
calls missing. It is not in the wheels on PyPI up to 0.4.1; put `src` of its repository on PYTHONPATH."""

import json
import re
import subprocess
import sys

kind, folder = sys.argv[1], sys.argv[2]
if kind != "dumps":
    print(json.dumps({"declined": "reads logs with a language model alone"}))
    sys.exit()
done = subprocess.run([sys.executable, "-m", "nvidia_resiliency_ext.attribution.trace_analyzer.fr_attribution", "--fr-path", folder,
                       "-p", "*dump_*", "--emit-stdout"], capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stderr)
ranks = set()
for line in done.stdout.splitlines():
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) == 6 and re.fullmatch(r"\d+(,\d+)*", cells[5]):
        ranks.update(int(rank) for rank in cells[5].split(","))
print(json.dumps({"findings": [{"class": "hang", "ranks": sorted(ranks)}] if ranks else []}))
