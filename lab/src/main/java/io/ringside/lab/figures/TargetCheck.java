package io.ringside.lab.figures;

import java.util.Collection;

/// Whether a figure that was counted reaches its aim, as far as so many samples can tell.
public enum TargetCheck {
  YES("Good"),
  OPEN("Not proven"),
  NO("Not good");

  private final String word;

  TargetCheck(String word) {
    this.word = word;
  }

  /// Of a figure that is to be small.
  public static TargetCheck atMost(double aim, Interval likely) {
    return likely.to() <= aim ? YES : likely.from() > aim ? NO : OPEN;
  }

  /// Of a figure that is to be large.
  public static TargetCheck atLeast(double aim, Interval likely) {
    return likely.from() >= aim ? YES : likely.to() < aim ? NO : OPEN;
  }

  /// Of all together: as good as the worst.
  public static TargetCheck all(Collection<TargetCheck> each) {
    return each.contains(NO) ? NO : each.contains(OPEN) || each.isEmpty() ? OPEN : YES;
  }

  /// As a sentence begins.
  public String word() {
    return word;
  }
}
