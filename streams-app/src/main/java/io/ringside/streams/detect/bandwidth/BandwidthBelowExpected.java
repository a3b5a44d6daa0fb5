package io.ringside.streams.detect.bandwidth;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.BusBandwidth;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.bandwidth.Table;
import io.ringside.streams.job.bandwidth.Table.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds runs of nccl-tests that measured less than the machines' links carry, or wrong results.
///
/// The largest sizes come last, so a table is judged when it is complete or its log has ended.
/// Wrong results are reported at once. Only large sizes show the bandwidth; the best of them
/// counts, out of place or in place. The mean over all sizes that nccl-tests prints is not used: it
/// says nothing.
public final class BandwidthBelowExpected implements Detector {
  /// Links reach full speed at this many times the smallest size that shows bandwidth. Many tables
  /// end at 128 MiB, where eight H100 reach two thirds of their bandwidth at 1 GiB.
  private static final int FULL_SPEED = 16;

  /// Number of sizes at the end of a table that must be slower; at least as many must come before
  /// them.
  private static final int LAST = 2;

  /// Share of the best earlier bandwidth below which a size counts as fallen. The caches of host
  /// memory, through which GPUs without a link communicate, make less of a difference.
  private static final double FALLEN = 0.5;

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    int number = 0;
    for (var table : examination.job().tables(examination.run())) {
      var subject = "%s %d".formatted(name(table), ++number);
      wrong(table, subject, examination).ifPresent(findings::add);
      if (table.over() || examination.job().ended()) {
        slow(table, subject, examination)
            .or(() -> falling(table, subject, examination))
            .ifPresent(findings::add);
      }
    }
    return findings;
  }

  private static Optional<Finding> wrong(Table table, String subject, Examination examination) {
    var row = table.wrong();
    if (row == null) {
      return outOfBounds(table, subject, examination);
    }
    var draft = draft(Severity.CRITICAL, table, subject + " wrong", examination);
    if (row.wrong() > 0) {
      draft
          .summary(
              "%s computed wrong results: %d elements at %s"
                  .formatted(name(table), row.wrong(), size(row.bytes())))
          .expected("#wrong 0")
          .observed("#wrong " + row.wrong());
    } else {
      draft
          .summary(
              "%s computed wrong results: errors up to %.0e at %s"
                  .formatted(name(table), row.error(), size(row.bytes())))
          .expected("errors of rounding: less than 1e-02 for 16-bit types, 1e-05 for float")
          .observed(
              "a largest error of %.0e, beyond the tolerance of any type; how many elements are wrong is not said"
                  .formatted(row.error()));
    }
    return Optional.of(
        draft
            .cause("faulty GPU memory or link, or broken driver, NCCL or network plugin")
            .proof(row.line())
            .proof(table.device())
            .finding());
  }

  /// Wrong results that the program itself counts. Before 2.13, its table has the largest error per
  /// row instead of a count.
  private static Optional<Finding> outOfBounds(
      Table table, String subject, Examination examination) {
    var said = table.outOfBounds();
    return said == null
        ? Optional.empty()
        : Optional.of(
            draft(Severity.CRITICAL, table, subject + " wrong", examination)
                .summary(
                    "%s computed wrong results: %d values out of bounds"
                        .formatted(name(table), said.wrong()))
                .expected("Out of bounds values : 0 OK")
                .observed(said.wrong() + " values out of bounds")
                .cause("faulty GPU memory or link, or broken driver, NCCL or network plugin")
                .proof(said.line())
                .proof(table.device())
                .finding());
  }

  private static Optional<Finding> slow(Table table, String subject, Examination examination) {
    var expected = BusBandwidth.of(table, examination);
    var best = best(table, examination);
    if (expected.isEmpty() || best.isEmpty()) {
      return Optional.empty();
    }
    var limit =
        best.get().bytes() >= FULL_SPEED * large(table, examination)
            ? expected.get()
            : expected.get().atMediumSizes();
    if (best.get().busGBps() >= limit.least()) {
      return Optional.empty();
    }
    return Optional.of(
        draft(Severity.WARNING, table, subject, examination)
            .summary(
                "%s reached %.0f GB/s at %s, of %.0f GB/s that %s carries"
                    .formatted(
                        name(table),
                        best.get().busGBps(),
                        size(best.get().bytes()),
                        limit.atMost(),
                        limit.why()))
            .expected(
                "busbw of %.0f GB/s and more at large sizes: %.0f %% of %s"
                    .formatted(limit.least(), 100 * limit.share(), limit.why()))
            .observed("busbw of %.1f GB/s at best".formatted(best.get().busGBps()))
            .cost(new Cost(null, limit.least() / Math.max(best.get().busGBps(), 1e-3)))
            .proof(best.get().line())
            .proof(table.device())
            .finding());
  }

  /// Every kind of link carries large buffers at least as fast as smaller ones. If the two largest
  /// sizes are far slower than smaller ones, something degrades under load.
  private static Optional<Finding> falling(Table table, String subject, Examination examination) {
    long large = large(table, examination);
    var rows =
        table.rows().stream()
            .filter(row -> row.bytes() >= large && !Double.isNaN(row.busGBps()))
            .sorted(Comparator.comparingLong(Measured::bytes))
            .toList();
    if (table.busIds().size() == 1 || rows.size() < 2 * LAST) {
      return Optional.empty();
    }
    var last = rows.subList(rows.size() - LAST, rows.size());
    var best =
        rows.subList(0, rows.size() - LAST).stream()
            .max(Comparator.comparingDouble(Measured::busGBps))
            .orElseThrow();
    double limit = FALLEN * best.busGBps();
    if (last.stream().anyMatch(row -> row.busGBps() >= limit)) {
      return Optional.empty();
    }
    var worst = last.getLast();
    return Optional.of(
        draft(Severity.WARNING, table, subject, examination)
            .summary(
                "%s falls from %.1f GB/s at %s to %.1f GB/s at %s"
                    .formatted(
                        name(table),
                        best.busGBps(),
                        size(best.bytes()),
                        worst.busGBps(),
                        size(worst.bytes())))
            .expected("large sizes as fast as smaller ones")
            .observed(
                "%.0f %% of the busbw that smaller sizes reached"
                    .formatted(100 * worst.busGBps() / best.busGBps()))
            .cause(
                "a link or a NIC that gives way under load, or somebody else's traffic: run it between other pairs of hosts")
            .cost(new Cost(null, best.busGBps() / Math.max(worst.busGBps(), 1e-3)))
            .proof(best.line())
            .proof(worst.line())
            .proof(table.device())
            .finding());
  }

  /// The fastest of the large sizes. A ring over several hosts has more steps, so sizes must be
  /// larger there.
  private static Optional<Measured> best(Table table, Examination examination) {
    long large = large(table, examination);
    return table.busIds().size() == 1
        ? Optional.empty()
        : table.rows().stream()
            .filter(row -> row.bytes() >= large && !Double.isNaN(row.busGBps()))
            .max(Comparator.comparingDouble(Measured::busGBps));
  }

  private static long large(Table table, Examination examination) {
    return examination.expectations().thresholds().bandwidth().leastBytes()
        * Math.max(1, table.hosts().size());
  }

  private static FindingDraft draft(
      Severity severity, Table table, String subject, Examination examination) {
    var run = examination.run();
    var processes =
        run.processes().stream()
            .filter(process -> table.busIds().containsValue(process.busId()))
            .toList();
    return FindingDraft.about(
            FindingKind.BANDWIDTH_BELOW_EXPECTED, severity, examination, processes)
        .subject(subject);
  }

  private static String name(Table table) {
    return table.program().isEmpty() ? "nccl-tests" : table.program();
  }

  private static String size(long bytes) {
    return bytes >= 1L << 30
        ? "%.0f GiB".formatted(bytes / (double) (1L << 30))
        : "%.0f MiB".formatted(bytes / (double) (1L << 20));
  }
}
