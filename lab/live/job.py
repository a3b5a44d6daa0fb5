"""A small training job of two ranks whose rank 1 goes wrong at a known time: `job.py CASE`, with RANK, WORLD_SIZE, MASTER_ADDR
and MASTER_PORT as torchrun sets them, and FAULT_AT in Unix seconds. Without GPUs it speaks gloo, which shows that it runs."""

import logging
import os
import sys
import time

import torch
import torch.distributed as dist

case = sys.argv[1]
rank = int(os.environ["RANK"])
fault_at = float(os.environ["FAULT_AT"])
gpu = torch.cuda.is_available()
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(asctime)s | %(levelname)s | train | %(message)s")
if gpu:
    torch.cuda.set_device(rank)
device = torch.device("cuda", rank) if gpu else torch.device("cpu")
dist.init_process_group("nccl" if gpu else "gloo")
pairs = [dist.new_group([0, 1]), dist.new_group([0, 1])]
work = torch.randn(4096 if gpu else 256, 4096 if gpu else 256, device=device)
bucket = torch.ones(1 << 20, device=device)
large = torch.ones(1 << 23, device=device)
parts = [torch.empty_like(bucket) for _ in range(2)]
step = 0
struck = False


def settle():
    if gpu:
        torch.cuda.synchronize()


def strikes():
    """Whether the fault begins now; it does once."""
    global struck
    begins = rank == 1 and not struck and time.time() >= fault_at
    if begins:
        struck = True
        print(f"{time.time():.3f}", file=open(os.environ["TRUTH"], "w"))
    return begins


def exchange():
    if rank == 0:
        dist.send(bucket, 1)
        dist.recv(bucket, 1)
    else:
        if case == "recv" and strikes():
            time.sleep(1e6)
        dist.recv(bucket, 0)
        dist.send(bucket, 0)


def reduce():
    if case in ("hang", "loader") and strikes():
        time.sleep(1e6 if case == "hang" else 45)
    if case == "slow":
        strikes()
        time.sleep(0.12 if struck else 0)
    if case == "checkpoint" and rank == 0 and step % 200 == 199:
        time.sleep(8)
    if case == "mismatch" and strikes():
        dist.all_gather(parts, bucket)
    elif case == "sizes" and strikes():
        dist.all_reduce(large)
    else:
        dist.all_reduce(bucket)
    for group in reversed(pairs) if case == "crossed" and strikes() else pairs:
        dist.all_reduce(bucket, group=group)


while True:
    began = time.time()
    for _ in range(20):
        work = torch.nn.functional.normalize(work @ work)
    settle()
    time.sleep(0.02)
    (exchange if case == "recv" else reduce)()
    settle()
    step += 1
    if rank == 0 and step % 10 == 0:
        logging.info("step %d/100000 loss %.4f step_time %.3fs", step, 9 / (1 + step / 100), time.time() - began)
