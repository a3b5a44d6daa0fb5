"""Ringside: findings of warning and critical, as `analyze --format json` tells them; a note is no answer. RINGSIDE is its
launcher, if it shall be another than this clone's."""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from bakeoff import BLAMING, CLASS_OF, REPOSITORY

kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
paths = [f"{node.name}={node}" for node in sorted(folder.iterdir())] if kind == "node-logs" else [str(folder)]
done = subprocess.run([os.environ.get("RINGSIDE", str(REPOSITORY / "ringside")), "analyze", "--format", "json", *paths], capture_output=True, text=True)
if done.returncode not in (0, 4):
    sys.exit(done.stderr)
print(json.dumps({"findings": [
    {"class": CLASS_OF[finding["kind"]], "ranks": finding["ranks"] if CLASS_OF[finding["kind"]] in BLAMING else []}
    for job in json.loads(done.stdout)["jobs"] for finding in job["findings"]
    if finding["severity"] != "info" and finding["kind"] in CLASS_OF]}))
