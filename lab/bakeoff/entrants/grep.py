"""The baseline: what somebody finds who greps for the words that everybody knows. It blames nobody but who speaks."""

import gzip
import json
import pathlib
import re
import sys

WORDS = {
    "transport": r"No eligible providers were found|via NET/Socket|via SHM/",
    "hang": r"Watchdog caught collective operation timeout",
    "failed": r"^Traceback \(most recent call last\)|exitcode *: *-?\d|CUDA out of memory|Signal \d+ \(SIG",
    "nccl-error": r"NCCL (WARN|ERROR)|ncclSystemError|ncclInternalError",
}
SPEAKER = re.compile(rb"\[rank(\d+)\]:|\[Rank (\d+)\]")

kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
if kind == "dumps":
    print(json.dumps({"declined": "greps text"}))
    sys.exit()
found = {}
for file in sorted(folder.rglob("*")):
    if file.is_file():
        with (gzip.open if file.suffix == ".gz" else open)(file, "rb") as lines:
            for line in lines:
                text = re.sub(rb"^\S+ std(out|err) [FP] ", b"", line)
                for name, words in WORDS.items():
                    if re.search(words.encode(), text):
                        ranks = found.setdefault(name, set())
                        speaker = SPEAKER.search(text)
                        if name == "hang" and speaker:
                            ranks.add(int(speaker.group(1) or speaker.group(2)))
print(json.dumps({"findings": [{"class": name, "ranks": sorted(ranks)} for name, ranks in found.items()]}))
