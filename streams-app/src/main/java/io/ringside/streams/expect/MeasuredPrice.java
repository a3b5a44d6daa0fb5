package io.ringside.streams.expect;

import io.ringside.platform.config.Require;
import io.ringside.schemas.event.FindingKind;
import java.util.Arrays;

/// What a transport cost where somebody ran one job twice, with it and without, and wrote the times
/// down.
///
/// @param finding as findings spell it
/// @param machine where, as people name it
/// @param ratio how many times as long the job took
public record MeasuredPrice(String finding, String machine, double ratio) {
  public MeasuredPrice {
    Require.text("machine", machine);
    Require.between("ratio", 1, 1_000, ratio);
    if (Arrays.stream(FindingKind.values()).noneMatch(kind -> kind.label().equals(finding))) {
      throw new IllegalArgumentException("finding must be a kind of finding, was " + finding);
    }
  }

  /// Whether it tells of this kind.
  public boolean of(FindingKind kind) {
    return kind.label().equals(finding);
  }
}
