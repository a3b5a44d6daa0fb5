package io.ringside.lab.simulate;

import io.ringside.lab.simulate.Truth.Expected;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Says what is true of a planned job, as `design/findings` words it: what the plan's faults must
/// show as and what may follow from them, and what its placement and network amount to by
/// themselves.
final class Truths {
  private final StartedRun run;
  private final List<Expected> expected = new ArrayList<>();
  private final Set<FindingKind> tolerated = EnumSet.noneOf(FindingKind.class);

  private Truths(StartedRun run) {
    this.run = run;
  }

  static Truth of(StartedRun run, double gpuDays) {
    var truths = new Truths(run);
    var plan = run.plan();
    if (plan.framework() != Framework.NCCL_TESTS && !plan.has(ProcessFault.NoInterface.class)) {
      truths.placement();
      truths.stamps();
      new PaceTruths(run, truths).noise();
    }
    plan.faults().forEach(truths::fault);
    return new Truth(truths.labelled(), truths.tolerated, gpuDays);
  }

  /// What is told of releases that print no id of a communicator has rows of its own: only the
  /// world is joined there.
  private List<Expected> labelled() {
    return run.plan().version().commIds()
        ? expected
        : expected.stream().map(each -> each.hard("before 2.16")).toList();
  }

  void expect(Expected finding) {
    expected.add(finding);
  }

  /// Kinds that may be found beside.
  void tolerate(FindingKind... kinds) {
    tolerated.addAll(List.of(kinds));
  }

  private void placement() {
    var plan = run.plan();
    boolean several = plan.pods() > 1;
    boolean socket = several && !plan.rdma();
    // a pair of pods on one node talks over the network if the ring joins them there
    if (plan.podsPerNode() > 1 && !run.partly()) {
      expect(Expected.of(FindingKind.SPLIT_PLACEMENT, Severity.WARNING).proven(run.edges()));
    }
    if (socket
        && plan.nodes() > 1
        && !plan.has(NetworkFault.EfaFallback.class)
        && !plan.has(NetworkFault.FabricFallback.class)) {
      expect(
          Expected.of(FindingKind.SOCKET_TRANSPORT, Severity.WARNING)
              .proven(run.edges())
              .hard(run.partly() ? "one pod" : ""));
    }
    if (socket && plan.nodes() == 1 && run.partly()) {
      // not above info where pods share a node, unless only some pods' lines are known
      tolerate(FindingKind.SOCKET_TRANSPORT);
    }
  }

  private void stamps() {
    var output = run.plan().output();
    if (output == Output.NCCL_SECONDS || output == Output.BLOCKS || output == Output.READ) {
      expect(Expected.of(FindingKind.TIMING_UNRELIABLE, Severity.INFO));
    } else if (run.plan().noise().clocks().steps() > 0
        || run.plan().noise().clocks().strays() > 0) {
      tolerate(FindingKind.TIMING_UNRELIABLE); // where calls carry the wrong stamps
    }
  }

  private void fault(Fault fault) {
    switch (fault) {
      case NetworkFault network -> new NetworkTruths(run, this).fault(network);
      case PaceFault pace -> new PaceTruths(run, this).fault(pace);
      case ProcessFault process -> new ProcessTruths(run, this).fault(process);
      case GpuFault gpu -> gpu(gpu);
      case TelemetryFault sight -> sight(sight);
      case BenchFault bench -> bench(bench);
    }
  }

  private void gpu(GpuFault fault) {
    switch (fault) {
      case GpuFault.Throttled throttled ->
          expect(
              Expected.of(FindingKind.GPU_THROTTLED, Severity.WARNING)
                  .on(Set.of(throttled.rank())));
      case GpuFault.Broken broken ->
          expect(
              Expected.of(FindingKind.GPU_ERROR, Severity.CRITICAL)
                  .on(Set.of(broken.rank()))
                  .proven(run.at(run.timeline().stepEnd(broken.step(), broken.rank()))));
    }
  }

  private void sight(TelemetryFault fault) {
    double trained = run.timeline().stepBegin(0, 0);
    switch (fault) {
      case TelemetryFault.SensorStall stall -> {
        int pods = run.plan().podsPerNode();
        expect(
            Expected.of(FindingKind.SENSOR_STALLED, Severity.WARNING)
                .on(run.ranks(stall.node() * pods, (stall.node() + 1) * pods))
                .proven(run.at(trained + stall.fromSecond() + stall.seconds())));
      }
      case TelemetryFault.LostLines lost -> {
        expect(
            Expected.of(FindingKind.TELEMETRY_GAP, Severity.WARNING)
                .proven(run.at(trained + lost.fromSecond() + lost.seconds())));
        tolerate(FindingKind.TIMING_UNRELIABLE);
      }
      case TelemetryFault.UnknownLines _ ->
          expect(Expected.of(FindingKind.UNPARSED_LINES, Severity.INFO));
    }
  }

  private void bench(BenchFault fault) {
    switch (fault) {
      case BenchFault.LowBandwidth _ ->
          expect(Expected.of(FindingKind.BANDWIDTH_BELOW_EXPECTED, Severity.WARNING));
      case BenchFault.WrongResults _ ->
          expect(Expected.of(FindingKind.BANDWIDTH_BELOW_EXPECTED, Severity.CRITICAL));
    }
  }
}
