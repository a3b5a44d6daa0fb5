package io.ringside.streams.job;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.GpuSensor;
import io.ringside.schemas.event.Nanos;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.NodeFacts;
import io.ringside.streams.job.hardware.PortHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How well a node of the job is observed: its agent's reports, its GPU sensor, its lost lines.
/// Bounded. Changed by {@link JobJoin} only.
public final class NodeWatch {
  private static final int MAX_SPELLS = 8;
  private static final int MAX_PROOFS = 4;
  private static final int MAX_PORTS = 65;

  /// Most overdue polls of a healthy sensor: a poll may be as old as the time between two.
  private static final int FINE = 1;

  private @Nullable NodeFacts last;
  private @Nullable Instant readAtReport;
  private final List<SensorSpell> spells = new ArrayList<>();
  private boolean inTrouble;
  private long gaps;
  private long lostBytes;
  private @Nullable Instant firstGap;
  private @Nullable Instant lastGap;
  private final List<Evidence> gapProofs = new ArrayList<>();
  private final Map<String, PortHistory> ports = new TreeMap<>();
  private final UnreachedWitnesses outOfReach = new UnreachedWitnesses();

  NodeWatch() {}

  /// A series of reports in which the GPU sensor is not well.
  ///
  /// @param until time of its last report so far, or of the first one that found the sensor well
  ///   again
  /// @param missed the most polls that were overdue at once
  /// @param state the worst state that was reported
  /// @param first the first report of the series
  /// @param worst the report with the worst state
  public record SensorSpell(
      Instant since,
      Instant until,
      int missed,
      GpuSensor.State state,
      String reason,
      Evidence first,
      Evidence worst) {}

  /// @param newestRead when the job's newest chunk was read, by the clock of its node
  void report(NodeFacts facts, @Nullable Instant newestRead) {
    sensor(facts);
    readAtReport = newestRead;
    if (facts.leftBehindBytes() > 0) {
      gap(
          facts.at(),
          facts.leftBehindBytes(),
          evidence(
              facts,
              "%d bytes of log files were gone before they were read"
                  .formatted(facts.leftBehindBytes())));
    }
    for (var port : facts.ports()) {
      if (ports.size() < MAX_PORTS || ports.containsKey(port.device())) {
        ports
            .computeIfAbsent(port.device(), _ -> new PortHistory())
            .add(Nanos.of(facts.at()), port);
      }
    }
    outOfReach.report(facts);
    last = facts;
  }

  /// Witnesses that its agent does not reach.
  public UnreachedWitnesses outOfReach() {
    return outOfReach;
  }

  /// Counters of its ports, by device; the empty name stands for TCP. Empty if no agent counts.
  public Map<String, PortHistory> ports() {
    return ports;
  }

  private void sensor(NodeFacts facts) {
    var sensor = facts.sensor();
    var age = sensor.ageSeconds();
    int missed =
        age == null || sensor.intervalSeconds() <= 0
            ? 0
            : (int) Math.min(10_000, age / sensor.intervalSeconds());
    boolean fails =
        sensor.state() == GpuSensor.State.STALLED || sensor.state() == GpuSensor.State.FAILING;
    boolean runs = fails || sensor.state() == GpuSensor.State.OK;
    if (!runs || (!fails && missed <= FINE)) {
      if (inTrouble) {
        end(facts.at());
      }
      inTrouble = false;
      return;
    }
    var line = evidence(facts, words(sensor));
    if (!inTrouble) {
      spells.add(
          new SensorSpell(
              facts.at(), facts.at(), missed, sensor.state(), sensor.reason(), line, line));
      if (spells.size() > MAX_SPELLS) {
        spells.removeFirst();
      }
      inTrouble = true;
      return;
    }
    var spell = spells.removeLast();
    boolean worse =
        sensor.state().compareTo(spell.state()) > 0
            || (sensor.state() == spell.state() && missed >= spell.missed());
    spells.add(
        new SensorSpell(
            spell.since(),
            facts.at(),
            Math.max(spell.missed(), missed),
            worse ? sensor.state() : spell.state(),
            sensor.reason().isEmpty() ? spell.reason() : sensor.reason(),
            spell.first(),
            worse ? line : spell.worst()));
  }

  private void end(Instant at) {
    var spell = spells.removeLast();
    spells.add(
        new SensorSpell(
            spell.since(),
            at,
            spell.missed(),
            spell.state(),
            spell.reason(),
            spell.first(),
            spell.worst()));
  }

  void chunk(LogFacts facts, Evidence line) {
    if (facts.gaps() > 0) {
      gap(facts.readAt(), facts.lostBytes(), line);
    }
  }

  private void gap(Instant at, long bytes, Evidence line) {
    gaps++;
    lostBytes += bytes;
    firstGap = firstGap == null ? at : firstGap;
    lastGap = at;
    if (gapProofs.size() < MAX_PROOFS) {
      gapProofs.add(line);
    }
  }

  private static String words(GpuSensor sensor) {
    return String.format(
        Locale.ROOT,
        "nvidia-smi is %s: last poll %s, one every %.0f s; %d restarts, %d stalls%s",
        sensor.state().label(),
        sensor.ageSeconds() == null ? "never" : "%.0f s ago".formatted(sensor.ageSeconds()),
        sensor.intervalSeconds(),
        sensor.restarts(),
        sensor.stalls(),
        sensor.reason().isEmpty() ? "" : "; " + sensor.reason());
  }

  private static Evidence evidence(NodeFacts facts, String text) {
    return Evidence.ofNode(facts.at(), facts.node(), "agent's report", text);
  }

  /// The newest report, if there was any.
  public Optional<NodeFacts> last() {
    return Optional.ofNullable(last);
  }

  /// When the job's newest chunk had been read by the time of the newest report. Nodes' clocks
  /// differ, so the time since then is measured by the clocks of nodes that went on.
  public Optional<Instant> readAtReport() {
    return Optional.ofNullable(readAtReport);
  }

  /// The newest report as evidence.
  public Optional<Evidence> proof(String text) {
    return last().map(facts -> evidence(facts, text));
  }

  /// Series of reports in which the GPU sensor was not well, oldest first; the last few only.
  public List<SensorSpell> spells() {
    return spells;
  }

  /// Whether the last series still goes on.
  public boolean inTrouble() {
    return inTrouble;
  }

  /// Number of gaps in the lines.
  public long gaps() {
    return gaps;
  }

  /// Bytes of lines that never came.
  public long lostBytes() {
    return lostBytes;
  }

  /// When lines first turned out to be missing, by the node's clock.
  public @Nullable Instant firstGap() {
    return firstGap;
  }

  /// When lines last turned out to be missing, by the node's clock.
  public @Nullable Instant lastGap() {
    return lastGap;
  }

  public List<Evidence> gapProofs() {
    return gapProofs;
  }
}
