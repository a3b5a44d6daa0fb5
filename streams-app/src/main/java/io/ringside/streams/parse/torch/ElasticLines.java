package io.ringside.streams.parse.torch;

import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// torchrun's agent: rendezvous, workers that end, restarts, and the table of failures at the end
/// (torch/distributed/elastic).
public final class ElasticLines {

  private ElasticLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("failed (exitcode: *) local_rank: # (pid: #)*", "all", ElasticLines::failed),
          Shape.of("Sending process # closing signal *", "all", line -> phase(line, "closing")),
          Shape.of("Closing process # via signal *", "all", line -> phase(line, "closing")),
          Shape.of("Unable to shutdown process # via *", "all", line -> phase(line, "killing")),
          Shape.of(
              "Process # did not exit after SIGKILL*",
              "torch 2.14",
              line -> phase(line, "unkillable")),
          Shape.of("Received *death signal*", "all", line -> phase(line, "death signal")),
          Shape.of("[*] Rendezvous'ing worker group*", "all", line -> phase(line, "rendezvous")),
          Shape.of(
              "[*] Rendezvous complete for workers*",
              "all",
              line -> phase(line, "rendezvous complete")),
          Shape.of("[*] Starting worker group*", "all", line -> phase(line, "starting workers")),
          Shape.of(
              "Setting OMP_NUM_THREADS environment variable for each process to be *",
              "all",
              line -> phase(line, "starting workers")),
          Shape.of(
              "Started distributed worker processes:*",
              "Ray Train",
              line -> phase(line, "starting workers")),
          Shape.of(
              "Restored on * from checkpoint: *",
              "Ray Train",
              line -> phase(line, "starting workers")),
          Shape.of("+ torchrun *", "bash", line -> phase(line, "starting workers")),
          Shape.of("+ deepspeed *", "bash", line -> phase(line, "starting workers")),
          Shape.of("+ accelerate launch *", "bash", line -> phase(line, "starting workers")),
          Shape.of("+ srun *", "bash", line -> phase(line, "starting workers")),
          Shape.of("+ python *.py*", "bash", line -> phase(line, "starting workers")),
          Shape.of("+ python# *.py*", "bash", line -> phase(line, "starting workers")),
          Shape.of(
              "[*] Worker group FAILED*",
              "all",
              line -> line.emit(new TorchEvent.ElasticRestart())),
          Shape.of("[*] Detected # new nodes*", "all", line -> phase(line, "new nodes")),
          Shape.of("Local worker group finished (*", "all", ElasticLines::finished),
          Shape.of("global_ranks=[*", "all", line -> line.emit(new TorchEvent.ElasticRanks())),
          Shape.of("time      : *", "all", line -> field(line, "time")),
          Shape.of("host      : *", "all", line -> field(line, "host")),
          Shape.of("rank      : *", "all", line -> field(line, "rank")),
          Shape.of("exitcode  : *", "all", line -> field(line, "exitcode")),
          Shape.of("error_file: *", "all", line -> field(line, "error_file")),
          Shape.of("traceback : *", "all", line -> field(line, "traceback")),
          Shape.of("Root Cause (first observed failure):", "all", ElasticLines::rootCause));

  /// `failed (exitcode: -6) local_rank: 0 (pid: 4187) of binary: /usr/bin/python3`.
  private static boolean failed(TextLine line) {
    var code = line.expect("failed (exitcode: ").integer();
    var localRank = line.expect(") local_rank: ").integer();
    var pid = line.expect(" (pid: ").integer();
    return line.good() && line.emit(new TorchEvent.ElasticFailure(code, localRank, pid));
  }

  /// `Local worker group finished (WorkerState.SUCCEEDED). Waiting 300 seconds for other agents to
  /// finish`: torchrun prints this for a failed group as well, with another state.
  private static boolean finished(TextLine line) {
    return phase(line, line.rest().contains("SUCCEEDED") ? "finished" : "given up");
  }

  private static boolean phase(TextLine line, String phase) {
    return line.emit(new TorchEvent.ElasticPhase(phase));
  }

  private static boolean field(TextLine line, String name) {
    return line.emit(new TorchEvent.FailureField(name, line.seek(": ").rest()));
  }

  private static boolean rootCause(TextLine line) {
    return line.emit(new TorchEvent.FailureField("root cause", ""));
  }
}
