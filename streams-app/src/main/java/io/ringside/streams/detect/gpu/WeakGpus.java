package io.ringside.streams.detect.gpu;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.Detector;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.examine.GpuLinkReadings;
import io.ringside.streams.expect.Thresholds;
import io.ringside.streams.fact.GpuLink;
import io.ringside.streams.job.hardware.LinkHistory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds GPUs that are weaker than the run's other GPUs: slower PCIe than possible, memory with a
/// row that waits to be remapped or with no spare rows, many corrected single-bit errors, or a
/// temperature close to the limit. An idle GPU lowers its PCIe generation and is cool, so PCIe and
/// heat are judged only while the GPU is busy.
public final class WeakGpus implements Detector {
  private static final int LEAST_PEERS = 3;

  /// The PCIe generation that GPU servers since 2012 have at least.
  private static final int OF_TODAY = 3;

  private static final String DAMAGED =
      "the slot, the riser or the GPU's connector: reseat it, look for AER lines in the kernel's log";

  /// In degrees Celsius. A GPU with at most this margin will throttle if the air gets a little
  /// warmer. The median margin of the others must be larger by UNLIKE_OTHERS: if all are hot, the
  /// room is the cause.
  private static final int NO_MARGIN = 3;

  private static final int UNLIKE_OTHERS = 10;

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    var limit = examination.expectations().thresholds().hardware();
    for (var looks : GpuLinkReadings.of(examination)) {
      rows(looks, examination).ifPresent(findings::add);
      if (slow(looks.own(), limit) && othersAreNot(looks, limit)) {
        findings.add(pcie(looks, examination));
      } else {
        crawling(looks, limit, examination)
            .or(() -> narrow(looks, limit, examination))
            .ifPresent(findings::add);
      }
      hot(looks, limit, examination).ifPresent(findings::add);
      if (corrects(looks.own(), limit)) {
        findings.add(corrected(looks, examination));
      }
    }
    return findings;
  }

  private static Optional<Finding> rows(GpuLinkReadings looks, Examination examination) {
    if (looks.last().failed() > 0) {
      return Optional.of(
          draft("rows", Severity.CRITICAL, looks, examination)
              .summary("a row of GPU %s's memory could not be remapped".formatted(looks.busId()))
              .expected("rows that can be remapped")
              .observed("remapped_rows.failure")
              .cause("its memory has no spare rows there: drain the node and have the GPU replaced")
              .finding());
    }
    return looks.last().pending() > 0
        ? Optional.of(
            draft("rows", Severity.WARNING, looks, examination)
                .summary("a row of GPU %s's memory waits to be remapped".formatted(looks.busId()))
                .expected("no row that waits")
                .observed("remapped_rows.pending")
                .cause("an uncorrectable error was contained: reset the GPU when it is idle")
                .finding())
        : Optional.empty();
  }

  /// Whether the GPU was busy and its PCIe slow in each of the latest readings.
  private static boolean slow(LinkHistory history, Thresholds.Hardware limit) {
    return history.recent().size() == LinkHistory.RECENT
        && history.recent().stream()
            .allMatch(look -> busy(look.link(), limit) && slow(look.link()));
  }

  private static boolean busy(GpuLink link, Thresholds.Hardware limit) {
    return link.busy() >= limit.busyPercent();
  }

  /// The latest readings of the other GPUs that were busy then.
  private static Stream<GpuLink> busyOthers(GpuLinkReadings looks, Thresholds.Hardware limit) {
    return looks.others().stream()
        .map(other -> other.recent().getLast().link())
        .filter(link -> busy(link, limit));
  }

  private static boolean slow(GpuLink link) {
    return link.gen() > 0 && link.gen() < link.genMax()
        || link.width() > 0 && link.width() < link.widthMax();
  }

  /// A GPU at PCIe generation 1 whose slot's maximum is unknown or also reported as 1. No machine
  /// whose other GPUs have generation 3 or later has such a slot.
  private static Optional<Finding> crawling(
      GpuLinkReadings looks, Thresholds.Hardware limit, Examination examination) {
    var recent = looks.own().recent();
    var others =
        busyOthers(looks, limit)
            .filter(link -> link.gen() > 0)
            .mapToLong(GpuLink::gen)
            .sorted()
            .toArray();
    if (recent.size() < LinkHistory.RECENT
        || others.length < LEAST_PEERS
        || others[0] < OF_TODAY
        || !recent.stream()
            .map(LinkHistory.Look::link)
            .allMatch(link -> busy(link, limit) && link.gen() == 1 && link.genMax() <= 1)) {
      return Optional.empty();
    }
    var link = looks.last();
    return Optional.of(
        draft("pcie", Severity.WARNING, looks, examination)
            .summary(
                "PCIe of GPU %s runs at generation 1 with %d lanes, the others' at generation %d and later"
                    .formatted(looks.busId(), link.width(), others[0]))
            .expected("generation %d as the others".formatted(others[0]))
            .observed("generation 1, %d lanes, while it is busy".formatted(link.width()))
            .cause(DAMAGED)
            .finding());
  }

  /// A GPU with at most half of the PCIe lanes that all its busy peers have, if the number of lanes
  /// of its slot is unknown.
  private static Optional<Finding> narrow(
      GpuLinkReadings looks, Thresholds.Hardware limit, Examination examination) {
    var recent = looks.own().recent();
    var others =
        busyOthers(looks, limit)
            .filter(link -> link.width() > 0)
            .mapToLong(GpuLink::width)
            .toArray();
    long usual = others.length == 0 ? 0 : others[0];
    if (recent.size() < LinkHistory.RECENT
        || others.length < LEAST_PEERS
        || Arrays.stream(others).anyMatch(width -> width != usual)
        || !recent.stream()
            .map(LinkHistory.Look::link)
            .allMatch(
                link ->
                    busy(link, limit)
                        && link.width() > 0
                        && link.widthMax() <= 0
                        && 2L * link.width() <= usual)) {
      return Optional.empty();
    }
    var link = looks.last();
    return Optional.of(
        draft("pcie", Severity.WARNING, looks, examination)
            .summary(
                "PCIe of GPU %s runs with %d lanes, that of all others with %d"
                    .formatted(looks.busId(), link.width(), usual))
            .expected("%d lanes as the others".formatted(usual))
            .observed("%d lanes, while it is busy".formatted(link.width()))
            .cause(DAMAGED)
            .finding());
  }

  /// Whether at least three other GPUs are busy, and most of these run at their full PCIe speed.
  private static boolean othersAreNot(GpuLinkReadings looks, Thresholds.Hardware limit) {
    var others = busyOthers(looks, limit).filter(link -> link.gen() > 0).toList();
    long slow = others.stream().filter(WeakGpus::slow).count();
    return others.size() >= LEAST_PEERS && 2 * slow < others.size();
  }

  /// Finding for a GPU that was busy and without margin in both of the last two readings.
  private static Optional<Finding> hot(
      GpuLinkReadings looks, Thresholds.Hardware limit, Examination examination) {
    var recent = looks.own().recent();
    var others =
        busyOthers(looks, limit)
            .filter(link -> link.margin() != GpuLink.UNKNOWN)
            .mapToLong(GpuLink::margin)
            .sorted()
            .toArray();
    if (recent.size() < 2
        || others.length < LEAST_PEERS
        || !recent.subList(recent.size() - 2, recent.size()).stream()
            .map(LinkHistory.Look::link)
            .allMatch(link -> busy(link, limit) && noMargin(link))
        || others[others.length / 2] < looks.last().margin() + UNLIKE_OTHERS) {
      return Optional.empty();
    }
    return Optional.of(
        about(FindingKind.GPU_THROTTLED, "heat", Severity.INFO, looks, examination)
            .summary(
                "GPU %s is %d °C from where it slows down, the median of the others is %d °C"
                    .formatted(looks.busId(), looks.last().margin(), others[others.length / 2]))
            .expected("about as much margin as the others")
            .observed("%d °C of margin, while it is busy".formatted(looks.last().margin()))
            .cause("its cooling: look at fans, air filters, coolant and what stands before it")
            .finding());
  }

  private static boolean noMargin(GpuLink link) {
    return link.margin() != GpuLink.UNKNOWN && link.margin() <= NO_MARGIN;
  }

  private static boolean corrects(LinkHistory history, Thresholds.Hardware limit) {
    return history.recent().stream()
            .filter(look -> look.link().corrected() >= limit.corrected())
            .count()
        >= 2;
  }

  private static Finding pcie(GpuLinkReadings looks, Examination examination) {
    var link = looks.last();
    return draft("pcie", Severity.WARNING, looks, examination)
        .summary(
            "PCIe of GPU %s runs at generation %d with %d lanes, it can generation %d with %d"
                .formatted(looks.busId(), link.gen(), link.width(), link.genMax(), link.widthMax()))
        .expected("generation %d, %d lanes".formatted(link.genMax(), link.widthMax()))
        .observed("generation %d, %d lanes, while it is busy".formatted(link.gen(), link.width()))
        .cause(DAMAGED)
        .finding();
  }

  private static Finding corrected(GpuLinkReadings looks, Examination examination) {
    var recent = looks.own().recent();
    long errors = recent.stream().mapToLong(look -> Math.max(0, look.link().corrected())).sum();
    return draft("ecc", Severity.INFO, looks, examination)
        .summary(
            "GPU %s corrected %d single-bit errors of its memory within %d looks"
                .formatted(looks.busId(), errors, recent.size()))
        .expected("few")
        .observed(errors + " corrected errors")
        .cause("memory that weakens: watch for Xid 92 and 63, have it tested if it goes on")
        .finding();
  }

  private static FindingDraft draft(
      String subject, Severity severity, GpuLinkReadings looks, Examination examination) {
    return about(FindingKind.GPU_ERROR, subject, severity, looks, examination);
  }

  private static FindingDraft about(
      FindingKind kind,
      String subject,
      Severity severity,
      GpuLinkReadings looks,
      Examination examination) {
    return FindingDraft.about(kind, severity, examination, List.of(looks.process()))
        .subject(subject + " " + looks.busId())
        .gpu(looks.busId())
        .proofs(looks.proofs("nvidia-smi", WeakGpus::words));
  }

  private static String lanes(GpuLink link) {
    return link.widthMax() > 0
        ? "%d of %d".formatted(link.width(), link.widthMax())
        : String.valueOf(link.width());
  }

  private static String words(GpuLink link) {
    var words =
        "%d %% busy, PCIe generation %d of %d, %s lanes"
                .formatted(link.busy(), link.gen(), link.genMax(), lanes(link))
            + (link.margin() == GpuLink.UNKNOWN
                ? ""
                : ", %d °C of margin".formatted(link.margin()));
    return link.pending() == GpuLink.UNKNOWN && link.corrected() == GpuLink.UNKNOWN
        ? words
        : "%s; rows pending %d, failed %d; %d corrected errors since the look before"
            .formatted(
                words,
                Math.max(0, link.pending()),
                Math.max(0, link.failed()),
                Math.max(0, link.corrected()));
  }
}
