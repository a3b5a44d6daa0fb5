"""How long after a fault `ringside up` names its culprit, live: `live.py RINGSIDE OUT CASE…`.

Runs job.py on two GPUs for each case with RAS, the flight recorder and COLL lines, beside it `RINGSIDE up` with all its senses,
and asks the API twice a second. A case may have `-quiet` behind it: no COLL lines. OUT gets a folder a case, with the log as the
kubelet writes it, dumps, readings of nvidia-smi and what `up` said. RINGSIDE `-` records only. About 2 minutes a case. With
NCCL_PROFILER_PLUGIN, the path of NCCL Inspector's plugin, it writes too, to inspector/; agreement.py compares."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from datetime import datetime, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
UNDER_WAY = float(os.environ.get("UNDER_WAY", 35))  # seconds from the start of `up` to the fault: it is up, and the job has trained for a while
WATCH = float(os.environ.get("WATCH", 75))
TOLD = ("hang", "straggler", "job-failed")
QUERY = "timestamp,index,pci.bus_id,utilization.gpu,power.draw,power.limit,clocks.sm,clocks.max.sm,temperature.gpu,memory.used"


def stamped(pipe, log, stream):
    with open(log, "a", buffering=1) as out:
        for line in pipe:
            at = datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "000Z")
            out.write(f"{at} {stream} F {line}")


def port():
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return any_port.getsockname()[1]


def job(case, quiet, folder, owner, fault_at, ras):
    dumps = folder / "flightrecorder" / owner
    log = folder / "pods" / owner / "trainer" / "0.log"
    dumps.mkdir(parents=True)
    log.parent.mkdir(parents=True)
    common = dict(
        os.environ, WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port()), FAULT_AT=str(fault_at),
        TRUTH=str(folder / "truth"), NCCL_DEBUG="INFO", NCCL_DEBUG_SUBSYS="INIT,ENV,NET,GRAPH" + ("" if quiet else ",COLL"),
        NCCL_RAS_ADDR=f"localhost:{ras}", TORCH_FR_BUFFER_SIZE="2000", TORCH_FR_DUMP_TEMP_FILE=f"{dumps}/nccl_trace_rank_",
        TORCH_NCCL_DUMP_ON_TIMEOUT="1", TORCH_NCCL_DEBUG_INFO_PIPE_FILE=f"{dumps}/rank_", PYTHONUNBUFFERED="1",
    )
    if "NCCL_PROFILER_PLUGIN" in os.environ:
        common.update(
            NCCL_INSPECTOR_ENABLE="1", NCCL_INSPECTOR_DUMP_DIR=str(folder / "inspector" / owner),
            NCCL_INSPECTOR_DUMP_THREAD_INTERVAL_MICROSECONDS="1000000")
        (folder / "inspector" / owner).mkdir(parents=True)
    pod = owner.split("_")[1]
    ranks = []
    for rank in range(2):
        own = subprocess.Popen(
            ["unshare", "-u", "sh", "-c", 'hostname "$0"; exec "$@"', pod, sys.executable, str(HERE / "job.py"), case],
            env=dict(common, RANK=str(rank), LOCAL_RANK=str(rank)),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )
        threading.Thread(target=stamped, args=(own.stdout, log, "stdout"), daemon=True).start()
        ranks.append(own)
    return ranks


def up(ringside, folder, ras):
    own = subprocess.Popen(
        [ringside, "up", "--port=0", f"--logs={folder}/pods/*/*/*.log", f"--ras=localhost:{ras}",
         f"--dumps={folder}/flightrecorder/*/nccl_trace_rank_*", f"--ask-dumps={folder}/flightrecorder/*/*.pipe",
         f"--inspector={folder}/inspector/*/*.log"],
        stdout=subprocess.PIPE, stderr=open(folder / "up.err", "w"), text=True, start_new_session=True,
    )
    api = None
    out = open(folder / "up.txt", "w", buffering=1)
    for line in own.stdout:
        out.write(line)
        api = re.search(r"http://\S+/api/findings", line)
        if api:
            break
    threading.Thread(target=lambda: out.writelines(own.stdout), daemon=True).start()
    return own, api and api.group()


def strike(case, ranks, folder, fault_at):
    """The faults that come from outside."""
    time.sleep(max(0, fault_at - time.time()))
    if case in ("stopped", "killed", "checkpoint", "busy", "healthy"):
        (folder / "truth").write_text(f"{time.time():.3f}\n")
    if case == "stopped":
        ranks[1].send_signal(signal.SIGSTOP)
    elif case == "killed":
        ranks[1].kill()
    elif case == "busy":
        spin = "import torch\na = torch.randn(8192, 8192, device='cuda:1')\nwhile True: a = torch.nn.functional.normalize(a @ a)"
        ranks.append(subprocess.Popen([sys.executable, "-c", spin]))


def watch(api, folder, until):
    """What was said, by its kind, severity and ranks, with when it was first: Unix seconds."""
    first = {}
    with open(folder / "findings.jsonl", "w") as out:
        while time.time() < until:
            now = time.time()
            said = urllib.request.urlopen(api, timeout=10).read()
            findings = json.loads(said)
            for finding in findings if isinstance(findings, list) else findings.get("findings", []):
                by = ",".join(it["name"] for it in finding.get("witnesses") or [])
                what = (finding["kind"], finding["severity"].lower(), tuple(finding.get("ranks") or ()), by)
                if what not in first:
                    first[what] = now
                    out.write(json.dumps({"at": now, "finding": finding}) + "\n")
            time.sleep(max(0, 0.5 - (time.time() - now)))
    return first


def row(name, first, truth):
    told = {what: at - truth for what, at in first.items() if what[0] in TOLD and at > truth}
    seconds = lambda fits: min((after for what, after in told.items() if fits(what)), default=None)
    shown = lambda after: "–" if after is None else f"{after:.1f}"
    ranks = sorted({what[2] for what in told if what[2]})
    by = sorted({witness for what in told for witness in what[3].split(",") if witness})
    print(
        f"{name:18} note {shown(seconds(lambda _: True)):>5}  culprit {shown(seconds(lambda what: what[2])):>5}"
        f"  critical {shown(seconds(lambda what: what[1] == 'critical')):>5}  {ranks} {','.join(by)}", flush=True)
    for what, at in sorted(first.items(), key=lambda it: it[1]):
        print(f"    {at - truth:7.1f}  {what}", flush=True)


def run(ringside, out, name):
    case, _, rest = name.partition("-")
    folder = out / name
    folder.mkdir(parents=True)
    owner = f"training_live-{name}-node-0-0_4d8be2fc-6c7b-4449-8fe7-fd2568d79a66"
    ras = port()
    own, api = (None, None) if ringside == "-" else up(ringside, folder, ras)
    smi = None
    ranks = []
    try:
        if shutil.which("nvidia-smi"):
            smi = subprocess.Popen(
                ["nvidia-smi", f"--query-gpu={QUERY}", "--format=csv", "-l", "1"],
                stdout=open(folder / "nvidia-smi.csv", "w"), stderr=subprocess.DEVNULL)
        fault_at = time.time() + UNDER_WAY
        ranks = job(case, rest == "quiet", folder, owner, fault_at, ras)
        threading.Thread(target=strike, args=(case, ranks, folder, fault_at), daemon=True).start()
        first = watch(api, folder, fault_at + WATCH) if api else time.sleep(UNDER_WAY + WATCH)
        truth = float((folder / "truth").read_text()) if (folder / "truth").exists() else fault_at
        row(name, first or {}, truth)
    finally:
        for process in ranks:
            process.kill()
            process.wait()
        if smi:
            smi.terminate()
        if own:
            os.killpg(own.pid, signal.SIGTERM)
            own.wait()


if __name__ == "__main__":
    for name in sys.argv[3:]:
        run(sys.argv[1], Path(sys.argv[2]), name)
