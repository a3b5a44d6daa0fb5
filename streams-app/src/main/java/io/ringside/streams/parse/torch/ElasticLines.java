package io.ringside.streams.parse.torch;

import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// torchrun's agent: rendezvous, workers that end, restarts, and the table of failures at the end (torch/distributed/elastic).
public final class ElasticLines {

  private ElasticLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("failed (exitcode: *) local_rank: # (pid: #)*", "all", ElasticLines::failed),
          Shape.of("Sending process # closing signal *", "all", ElasticLines::closing),
          Shape.of("Closing process # via signal *", "all", ElasticLines::closing),
          Shape.of(
              "Unable to shutdown process # via *",
              "all",
              line -> phase(line, "killing", pidIn(line))),
          Shape.of(
              "Process # did not exit after SIGKILL*",
              "torch 2.14",
              line -> phase(line, "unkillable", pidIn(line))),
          Shape.of("Received *death signal*", "all", line -> phase(line, "death signal", -1)),
          Shape.of(
              "[*] Rendezvous'ing worker group*", "all", line -> phase(line, "rendezvous", -1)),
          Shape.of(
              "[*] Rendezvous complete for workers*",
              "all",
              line -> phase(line, "rendezvous complete", -1)),
          Shape.of(
              "[*] Starting worker group*", "all", line -> phase(line, "starting workers", -1)),
          Shape.of("[*] Worker group FAILED*", "all", ElasticLines::restart),
          Shape.of("[*] Detected # new nodes*", "all", line -> phase(line, "new nodes", -1)),
          Shape.of("Local worker group finished (*", "all", ElasticLines::finished),
          Shape.of("global_ranks=[*", "all", ElasticLines::globalRanks),
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
    return line.good()
        && line.emit(new TorchEvent.ElasticFailure(code, localRank, pid, line.stamp()));
  }

  /// `Local worker group finished (WorkerState.SUCCEEDED). Waiting 300 seconds for other agents to finish`: it says so of
  /// a group that failed as well.
  private static boolean finished(TextLine line) {
    return phase(line, line.rest().contains("SUCCEEDED") ? "finished" : "given up", -1);
  }

  private static boolean closing(TextLine line) {
    return phase(line, "closing", pidIn(line));
  }

  private static int pidIn(TextLine line) {
    line.seek("rocess ");
    if (line.peek() == '\'') {
      line.expect("'");
    }
    var pid = line.integer();
    return line.bad() ? -1 : pid;
  }

  private static boolean phase(TextLine line, String phase, int pid) {
    return line.emit(new TorchEvent.ElasticPhase(phase, pid, line.stamp()));
  }

  /// `[default] Worker group FAILED. 2/3 attempts left; will restart worker group`.
  private static boolean restart(TextLine line) {
    line.seek("FAILED");
    line.skip(". ");
    var left = line.peek() >= '0' && line.peek() <= '9' ? line.integer() : 0;
    var attempts = line.skip("/") ? line.integer() : -1;
    return line.good() && line.emit(new TorchEvent.ElasticRestart(left, attempts, line.stamp()));
  }

  private static boolean globalRanks(TextLine line) {
    var ranks = GroupLines.numbers(line.expect("global_ranks=["));
    line.expect("]");
    return line.good() && line.emit(new TorchEvent.ElasticRanks(ranks));
  }

  private static boolean field(TextLine line, String name) {
    return line.emit(new TorchEvent.FailureField(name, line.seek(": ").rest()));
  }

  private static boolean rootCause(TextLine line) {
    return line.emit(new TorchEvent.FailureField("root cause", ""));
  }
}
