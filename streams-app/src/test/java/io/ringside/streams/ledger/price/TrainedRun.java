package io.ringside.streams.ledger.price;

import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.RunAggregates;
import io.ringside.schemas.event.RunAggregates.TransportMatrix;
import io.ringside.schemas.event.RunSummary;
import java.util.List;

/// A run's line of the ledger with the time of its steps and what joins its nodes.
record TrainedRun(String job, int attempt, String transport, double millis) {
  static final String EFA = "NET/Libfabric/GDRDMA";
  static final String SOCKET = "NET/Socket";

  RunSummary line() {
    return line(64.0, 100);
  }

  RunSummary line(double batch, int steps) {
    var told =
        new RunAggregates.Steps(
            "loop-times", steps, millis, null, null, batch, null, null, null, List.of());
    return RunSummary.of(
        new JobKey("east", "training", job),
        "0x" + attempt,
        attempt,
        its -> {
          its.nranks = 4;
          its.nodes = List.of("node-1", "node-2");
          its.pods = List.of("pod-0", "pod-1");
          its.instanceType = "p4d.24xlarge";
          its.ncclVersion = "2.28.9";
          its.transports = List.of(new RunSummary.Transport("inter-node", transport, 4, ""));
          its.aggregates =
              new RunAggregates(
                  0,
                  null,
                  told,
                  null,
                  new TransportMatrix("rank", List.of(), List.of(), List.of(), 0),
                  null);
        });
  }
}
