"""Writes flight-recorder dumps of jobs that hang, by seed, in the form of PyTorch 2.11 (version 2.10).

Each job has one world group, and half of them tensor-parallel groups of four beside it. What goes wrong is one of:
  absent     some ranks never make a collective that all others wait in: to blame are those ranks
  ahead      a group's rank waits in the world's collective while its group waits for it: to blame is that rank
  mismatch   one rank makes another operation than all others: to blame is that rank
  none       all collectives are complete: nobody is to blame
"""

import json
import pickle
import random

KINDS = ("absent", "absent", "ahead", "mismatch", "none")
EPOCH = 1_790_000_000_000_000_000


class Rank:
    def __init__(self, rank, groups):
        self.rank, self.groups, self.entries = rank, groups, []
        self.counts = {name: 0 for name, (_, ranks) in groups.items() if rank in ranks}
        self.done = dict(self.counts)

    def call(self, group, operation, size, state):
        self.counts[group] += 1
        if state == "completed":
            self.done[group] = self.counts[group]
        at = EPOCH + len(self.entries) * 1_000_000 + self.rank * 1_000
        self.entries.append({
            "record_id": len(self.entries), "pg_id": int(group), "process_group": (group, self.groups[group][0]),
            "collective_seq_id": self.counts[group], "p2p_seq_id": 0, "op_id": self.counts[group],
            "profiling_name": "nccl:" + operation, "time_created_ns": at,
            "input_sizes": [[size]], "input_dtypes": ["Float"], "output_sizes": [[size]], "output_dtypes": ["Float"],
            "state": state, "time_discovered_started_ns": None,
            "time_discovered_completed_ns": at + 500_000 if state == "completed" else None,
            "retired": state == "completed", "timeout_ms": 600_000, "is_p2p": False,
            "frames": [{"name": "step", "filename": "/app/train.py", "line": 88}]})

    def write(self, folder):
        config = {name: {"name": name, "desc": desc, "ranks": str(list(ranks))}
                  for name, (desc, ranks) in self.groups.items() if self.rank in ranks}
        status = {name: {"last_enqueued_collective": self.counts[name], "last_started_collective": self.counts[name],
                         "last_completed_collective": self.done[name]} for name in config}
        with open(folder / f"dump_{self.rank}", "wb") as out:
            pickle.dump({"version": "2.10", "comm_lib_version": "2.28.9", "pg_config": config, "pg_status": status,
                         "entries": self.entries}, out, protocol=2)


def job(folder, seed, number):
    """Writes one job's dumps; returns its truth."""
    chance = random.Random(f"{seed}/{number}")
    kind = KINDS[number % len(KINDS)]
    size = chance.choice([4, 8, 16, 32])
    groups = {"0": ("default_pg", range(size))}
    tensor = kind == "ahead" or chance.random() < 0.5
    if tensor:
        for first in range(0, size, 4):
            groups[str(1 + first // 4)] = ("TENSOR_MODEL_PARALLEL_GROUP", range(first, first + 4))
    ranks = [Rank(rank, groups) for rank in range(size)]
    blamed = chance.sample(range(size), 1 if kind in ("ahead", "mismatch") or size == 4 else chance.choice([1, 1, 2]))

    def own(rank):
        return str(1 + rank.rank // 4)

    for step in range(chance.randint(5, 200)):
        for rank in ranks:
            if tensor:
                rank.call(own(rank), "all_reduce", 4096, "completed")
            rank.call("0", "all_reduce", 1024 + step % 7, "completed")
    for rank in ranks:
        guilty = rank.rank in blamed
        if kind == "absent" and not guilty:
            rank.call("0", "all_reduce", 2048, "scheduled")
        elif kind == "mismatch":
            rank.call("0", "broadcast" if guilty else "all_reduce", 2048, "scheduled")
        elif kind == "ahead" and own(rank) == own(ranks[blamed[0]]):
            rank.call("0" if guilty else own(rank), "all_reduce", 2048, "scheduled")
        elif kind == "ahead":
            rank.call(own(rank), "all_reduce", 2048, "completed")
            rank.call("0", "all_reduce", 2048, "scheduled")
    folder.mkdir(parents=True)
    for rank in ranks:
        rank.write(folder)
    return [] if kind == "none" else [{"class": "hang", "ranks": sorted(blamed)}]


if __name__ == "__main__":
    import pathlib
    import sys
    print(json.dumps(job(pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
