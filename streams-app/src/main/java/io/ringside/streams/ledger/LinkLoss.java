package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunSummary.Links;
import io.ringside.streams.examine.HostLinks;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a machine's links lack compared with another machine of its kind, or with its own past.
/// Only one of NVLink, PCIe and rings may be worse: machines that differ in both NVLink and PCIe
/// are of different kinds.
///
/// @param was what the other has, as text
/// @param is what this one has, as text
public record LinkLoss(What what, String was, String is) {
  /// A share below this is too little. A V100 that lost one of six links keeps 0.83, which NCCL's
  /// own rounding does not explain; a GPU that lost three of twelve keeps 0.75.
  public static final double SHARE = 0.76;

  /// The same for PCIe: a slot with half the lanes or a lower generation.
  public static final double PCIE_SHARE = 0.55;

  private static final double SAME = 0.05;

  /// GB/s that NCCL counts for one link of P100, V100 and A100, H100, B200, and of cards with
  /// bridges (src/graph/topo.h, `SM60_NVLINK_BW` to `SM100_NVLINK_BW`, `SM86_NVLINK_BW`).
  private static final List<Double> OF_ONE_LINK = List.of(18.0, 20.0, 20.6, 40.1, 12.0);

  private static final double ROUNDED = 0.02;

  /// Path types from near to far (src/graph/topo.h, PATH_LOC to PATH_NET).
  private static final List<String> FROM_NEAR =
      List.of("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS");

  /// Orders links from the worst to the best.
  public static final Comparator<Links> FROM_WORST =
      Comparator.comparingDouble(Links::nvlinkGBps)
          .thenComparingDouble(Links::pcieGBps)
          .thenComparingDouble(LinkLoss::speed)
          .thenComparingInt(links -> -distance(links.ringType()));

  /// The kinds of links that are compared.
  public enum What {
    NVLINK,
    PCIE,
    RINGS
  }

  /// What `is` lacks compared with `was`, if they are otherwise alike.
  public static Optional<LinkLoss> between(Links was, Links is) {
    if (was.gpus() != is.gpus()) {
      return Optional.empty();
    }
    boolean nvlink = same(was.nvlinkGBps(), is.nvlinkGBps());
    boolean pcie = same(was.pcieGBps(), is.pcieGBps());
    if (!nvlink) {
      return pcie
              && is.nvlinkGBps() < SHARE * was.nvlinkGBps()
              && ofOneKind(was.nvlinkGBps(), is.nvlinkGBps())
          ? Optional.of(new LinkLoss(What.NVLINK, gbps(was.nvlinkGBps()), gbps(is.nvlinkGBps())))
          : Optional.empty();
    }
    if (!pcie) {
      return is.pcieGBps() < PCIE_SHARE * was.pcieGBps()
          ? Optional.of(new LinkLoss(What.PCIE, gbps(was.pcieGBps()), gbps(is.pcieGBps())))
          : Optional.empty();
    }
    return slower(was, is)
        ? Optional.of(new LinkLoss(What.RINGS, rings(was), rings(is)))
        : Optional.empty();
  }

  /// The links of the host with the worst links, null without hosts.
  static @Nullable Links worst(List<HostLinks> hosts) {
    return hosts.stream().map(HostLinks::links).min(FROM_WORST).orElse(null);
  }

  private static boolean slower(Links was, Links is) {
    return was.rings() > 0
        && is.rings() > 0
        && (speed(is) < SHARE * speed(was)
            || distance(was.ringType()) >= 0 && distance(is.ringType()) > distance(was.ringType()));
  }

  /// Whether both are about equal, or one is unknown.
  private static boolean same(double one, double other) {
    return one <= 0 || other <= 0 || Math.abs(one - other) <= SAME * Math.max(one, other);
  }

  /// Whether both are whole numbers of links of one generation: an A100's link is not half of an
  /// H100's.
  private static boolean ofOneKind(double one, double other) {
    return OF_ONE_LINK.stream().anyMatch(link -> whole(one / link) && whole(other / link));
  }

  private static boolean whole(double links) {
    return links > 1 - ROUNDED && Math.abs(links - Math.rint(links)) <= ROUNDED;
  }

  /// Distance of a ring's GPUs as an index, -1 for an unknown path type.
  public static int distance(String type) {
    return FROM_NEAR.indexOf(type);
  }

  /// Bandwidth of all rings together, in GB/s.
  public static double speed(Links links) {
    return links.rings() * links.ringGBps();
  }

  private static String gbps(double value) {
    return "%.0f GB/s".formatted(value);
  }

  /// The rings as text.
  public static String rings(Links links) {
    return "%d rings of %.0f GB/s over %s"
        .formatted(links.rings(), links.ringGBps(), links.ringType());
  }
}
