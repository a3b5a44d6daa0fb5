package io.ringside.streams.detect.link;

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
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// Finds NVLinks that are down or have errors according to nvidia-smi, while those of the run's
/// other GPUs do not.
public final class NvlinkErrors implements Detector {
  static final int LEAST_PEERS = 3;
  private static final int LEAST_LOOKS = 2;

  @Override
  public List<Finding> examine(Examination examination) {
    var findings = new ArrayList<Finding>();
    var limit = examination.expectations().thresholds().hardware();
    for (var looks : GpuLinkReadings.of(examination)) {
      var own = looks.own();
      if (own.recent().size() >= LEAST_LOOKS) {
        var others = looks.others().stream().filter(other -> links(other) == links(own)).toList();
        down(own, others)
            .or(() -> errors(own, others, limit))
            .ifPresent(said -> findings.add(finding(looks, said, examination)));
      }
    }
    return findings;
  }

  /// @param expected value of a healthy GPU
  private record Said(String summary, String expected, String observed, String cause) {}

  private static long links(LinkHistory history) {
    return history.recent().getLast().link().links();
  }

  /// A GPU with fewer active links than its peers, or than it had before. Without a switch, all
  /// GPUs of a machine may have unused links.
  private static Optional<Said> down(LinkHistory own, List<LinkHistory> others) {
    var looks = own.recent().subList(own.recent().size() - LEAST_LOOKS, own.recent().size());
    long least = looks.stream().mapToLong(look -> look.link().down()).min().orElse(0);
    boolean fewerThanPeers =
        others.size() >= LEAST_PEERS
            && least > middle(others, it -> it.recent().getLast().link().down());
    return least > 0 && (fewerThanPeers || own.allWereUp())
        ? Optional.of(
            new Said(
                "%d of %d NVLinks of GPU %%s are down".formatted(least, links(own)),
                "all %d NVLinks up".formatted(links(own)),
                "%d down".formatted(least),
                "a link, its connector or the switch at its other end: reset the GPUs; if it stays down, have the board looked at"))
        : Optional.empty();
  }

  private static Optional<Said> errors(
      LinkHistory own, List<LinkHistory> others, Thresholds.Hardware limit) {
    if (others.size() < LEAST_PEERS) {
      return Optional.empty();
    }
    long recoveries = sum(own, GpuLink::recoveries);
    if (recoveries >= limit.recoveries()
        && middle(others, it -> sum(it, GpuLink::recoveries)) == 0) {
      return Optional.of(
          new Said(
              "NVLinks of GPU %s had to recover " + recoveries + " times",
              "no recoveries, as its peers",
              "%d recoveries".formatted(recoveries),
              "a link that is about to fail: have it looked at before it does"));
    }
    long errors = sum(own, GpuLink::errors);
    long usual = middle(others, it -> sum(it, GpuLink::errors));
    long looks =
        own.recent().stream().filter(look -> look.link().errors() >= limit.linkErrors()).count();
    return looks >= LEAST_LOOKS && errors >= limit.timesPeers() * Math.max(1, usual)
        ? Optional.of(
            new Said(
                "NVLinks of GPU %s replay and drop " + errors + " packets, its peers' " + usual,
                "%d, as its peers".formatted(usual),
                "%d replayed or damaged packets".formatted(errors),
                "a link that is about to fail: have it looked at before it does"))
        : Optional.empty();
  }

  private static long sum(LinkHistory history, ToLongFunction<GpuLink> of) {
    return history.recent().stream()
        .mapToLong(look -> Math.max(0, of.applyAsLong(look.link())))
        .sum();
  }

  /// The median; the list must not be empty.
  static <T> long middle(List<T> others, ToLongFunction<T> of) {
    var sorted = others.stream().mapToLong(of).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static Finding finding(GpuLinkReadings looks, Said said, Examination examination) {
    return FindingDraft.about(
            FindingKind.LINK_DEGRADED, Severity.WARNING, examination, List.of(looks.process()))
        .subject("nvlink " + looks.busId())
        .gpu(looks.busId())
        .summary(said.summary().formatted(looks.busId()))
        .expected(said.expected())
        .observed(said.observed())
        .cause(said.cause())
        .proofs(looks.proofs("nvidia-smi nvlink", NvlinkErrors::words))
        .finding();
  }

  private static String words(GpuLink link) {
    return "%d NVLinks up, %d down; since the look before %d replays, %d recoveries, %d CRC errors"
        .formatted(
            Math.max(0, link.up()),
            Math.max(0, link.down()),
            Math.max(0, link.replays()),
            Math.max(0, link.recoveries()),
            Math.max(0, link.crc()));
  }
}
