import pathlib
import pickle
import tempfile
import unittest

import bakeoff
import dumps


def case(truth, tolerated=()):
    return {"truth": truth, "tolerated": list(tolerated)}


class ScoreTest(unittest.TestCase):
    def test_asks_for_just_the_ranks_to_blame(self):
        hang = case([{"class": "hang", "ranks": [3]}])
        self.assertEqual((["hang"], [], [], []), bakeoff.judged(hang, {"findings": [{"class": "hang", "ranks": [3]}]}))
        for ranks in ([], [3, 4], [4]):
            hits, wrong, missed, alarms = bakeoff.judged(hang, {"findings": [{"class": "hang", "ranks": ranks}]})
            self.assertEqual(([], 1, [], []), (hits, len(wrong), missed, alarms))

    def test_adds_up_what_is_said_of_one_class(self):
        late = case([{"class": "straggler", "ranks": [1, 2]}])
        told = {"findings": [{"class": "straggler", "ranks": [1]}, {"class": "straggler", "ranks": [2]}]}
        self.assertEqual(["straggler"], bakeoff.judged(late, told)[0])

    def test_counts_what_is_not_true_and_not_tolerated(self):
        answer = {"findings": [{"class": "gpu"}, {"class": "placement"}]}
        self.assertEqual((["gpu"]), bakeoff.judged(case([], ["placement"]), answer)[3])

    def test_misses_what_nobody_said(self):
        self.assertEqual(["failed"], bakeoff.judged(case([{"class": "failed", "ranks": []}]), {"failed": "crashed"})[2])

    def test_takes_a_note_for_no_fault(self):
        faults = [{"kind": "efa-fallback", "severity": "critical", "ranks": [0]}, {"kind": "hang", "severity": "info", "ranks": [1]}]
        self.assertEqual([{"class": "transport", "ranks": []}], bakeoff.truth(faults))
        self.assertEqual({"hang"}, bakeoff.noted(faults))


class DumpsTest(unittest.TestCase):
    def test_writes_the_same_job_for_the_same_seed(self):
        with tempfile.TemporaryDirectory() as folder:
            first, again = pathlib.Path(folder, "a"), pathlib.Path(folder, "b")
            self.assertEqual(dumps.job(first, 7, 0), dumps.job(again, 7, 0))
            names = sorted(file.name for file in first.iterdir())
            self.assertEqual(names, sorted(file.name for file in again.iterdir()))
            for name in names:
                self.assertEqual((first / name).read_bytes(), (again / name).read_bytes())

    def test_blames_those_that_are_absent(self):
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder, "a")
            blamed = dumps.job(target, 7, 0)[0]["ranks"]
            for file in target.iterdir():
                waits = pickle.loads(file.read_bytes())["entries"][-1]["state"] == "scheduled"
                self.assertEqual(waits, int(file.name.split("_")[1]) not in blamed)


if __name__ == "__main__":
    unittest.main()
