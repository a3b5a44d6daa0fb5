import json
import pathlib
import tempfile
import unittest

import recorded


def finding(kind, *ranks):
    return {"kind": kind, "severity": "critical", "ranks": list(ranks)}


class RecordedTest(unittest.TestCase):
    def test_asks_for_just_the_ranks_to_blame(self):
        self.assertTrue(recorded.right({2}, [finding("hang", 2)]))
        self.assertTrue(recorded.right({2, 3}, [finding("hang", 2), finding("straggler", 3), finding("gpu-error", 7)]))
        for told in ([], [finding("hang")], [finding("hang", 2, 3)], [finding("hang", 1)], [finding("gpu-error", 2)]):
            self.assertFalse(recorded.right({2}, told))

    def test_takes_any_fault_of_a_healthy_job_for_wrong(self):
        self.assertTrue(recorded.right(set(), []))
        self.assertFalse(recorded.right(set(), [finding("gpu-error", 0)]))

    def test_takes_a_note_for_no_fault(self):
        note = {"kind": "hang", "severity": "info", "ranks": [0]}
        self.assertEqual([], recorded.above_notes({"jobs": [{"findings": [note]}]}))

    def test_finds_recordings_and_their_truth(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for each in ("a", "b", "c"):
                (folder / each).mkdir()
            (folder / "a" / "truth.json").write_text(json.dumps({"ranks": []}))
            (folder / "b" / "fault_injection.log").write_text("Fault ranks: [12, 14]\nFault delay: 180.0\n")
            self.assertEqual(["a", "b"], [it.name for it in recorded.recordings([folder])])
            self.assertEqual(set(), recorded.truth(folder / "a"))
            self.assertEqual({12, 14}, recorded.truth(folder / "b"))


if __name__ == "__main__":
    unittest.main()
