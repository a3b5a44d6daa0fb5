package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import io.ringside.schemas.event.FindingKind;
import java.util.Arrays;

/// The measured cost of a transport: somebody ran one job twice, with the transport and without,
/// and recorded the times.
///
/// @param finding kind of finding, by its label
/// @param machine name of the machine type
/// @param ratio factor by which the job took longer
public record MeasuredPrice(String finding, String machine, double ratio) {
  public MeasuredPrice {
    Require.text("machine", machine);
    Require.between("ratio", 1, 1_000, ratio);
    if (Arrays.stream(FindingKind.values()).noneMatch(kind -> kind.label().equals(finding))) {
      throw new IllegalArgumentException("finding must be a kind of finding, was " + finding);
    }
  }

  /// Whether the price is for this kind.
  public boolean of(FindingKind kind) {
    return kind.label().equals(finding);
  }
}
