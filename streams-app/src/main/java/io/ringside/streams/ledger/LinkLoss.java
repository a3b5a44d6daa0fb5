package io.ringside.streams.ledger;

import io.ringside.schemas.event.RunSummary.Links;
import io.ringside.streams.examine.HostLinks;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the links of a machine lack of what another of its kind has, or had: where one alone of
/// NVLink, PCIe and rings is worse. Two that differ in NVLink and in PCIe are two kinds of machine.
///
/// @param was in words, what the other has
/// @param is in words, what this one has
public record LinkLoss(What what, String was, String is) {
  /// Less than this share is too little: one of six links of a V100 lost leaves 0.83, which NCCL's
  /// own rounding does not explain, and three of twelve lost leave this.
  public static final double SHARE = 0.76;

  /// A slot with half the lanes or a lower generation.
  public static final double PCIE_SHARE = 0.55;

  private static final double SAME = 0.05;

  /// GB/s that NCCL counts for one link of P100, V100 and A100, H100, B200, and of cards with
  /// bridges (src/graph/topo.h, `SM60_NVLINK_BW` to `SM100_NVLINK_BW`, `SM86_NVLINK_BW`).
  private static final List<Double> OF_ONE_LINK = List.of(18.0, 20.0, 20.6, 40.1, 12.0);

  private static final double ROUNDED = 0.02;

  /// From near to far (src/graph/topo.h, PATH_LOC to PATH_NET).
  private static final List<String> FROM_NEAR =
      List.of("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS");

  /// From the worst links to the best.
  public static final Comparator<Links> FROM_WORST =
      Comparator.comparingDouble(Links::nvlinkGBps)
          .thenComparingDouble(Links::pcieGBps)
          .thenComparingDouble(LinkLoss::speed)
          .thenComparingInt(links -> -distance(links.ringType()));

  /// Which links.
  public enum What {
    NVLINK,
    PCIE,
    RINGS
  }

  /// What `is` lacks of `was`, if they are alike but for it.
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

  /// The links of the worst of these hosts, null if there is none.
  static @Nullable Links worst(List<HostLinks> hosts) {
    return hosts.stream().map(HostLinks::links).min(FROM_WORST).orElse(null);
  }

  private static boolean slower(Links was, Links is) {
    return was.rings() > 0
        && is.rings() > 0
        && (speed(is) < SHARE * speed(was)
            || distance(was.ringType()) >= 0 && distance(is.ringType()) > distance(was.ringType()));
  }

  /// As far as both are known.
  private static boolean same(double one, double other) {
    return one <= 0 || other <= 0 || Math.abs(one - other) <= SAME * Math.max(one, other);
  }

  /// Whether both are whole numbers of links of one generation: an A100 has no half of an H100's.
  private static boolean ofOneKind(double one, double other) {
    return OF_ONE_LINK.stream().anyMatch(link -> whole(one / link) && whole(other / link));
  }

  private static boolean whole(double links) {
    return links > 1 - ROUNDED && Math.abs(links - Math.rint(links)) <= ROUNDED;
  }

  /// How far apart GPUs of a ring are, -1 for a word nobody knows.
  public static int distance(String type) {
    return FROM_NEAR.indexOf(type);
  }

  /// What all rings carry together.
  public static double speed(Links links) {
    return links.rings() * links.ringGBps();
  }

  private static String gbps(double value) {
    return "%.0f GB/s".formatted(value);
  }

  /// Rings in words.
  public static String rings(Links links) {
    return "%d rings of %.0f GB/s over %s"
        .formatted(links.rings(), links.ringGBps(), links.ringType());
  }
}
