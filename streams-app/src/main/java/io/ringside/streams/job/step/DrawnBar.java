package io.ringside.streams.job.step;

import io.ringside.schemas.event.Evidence;
import org.jspecify.annotations.Nullable;

/// For how long a bar has been drawn with the same count, by its own clock. Some bars are drawn
/// again by a thread of their own (rich), others after each other line, whatever the loop does
/// meanwhile.
public final class DrawnBar {
  private long count = -1;
  private double beganSeconds = Double.NaN;
  private double lastSeconds = Double.NaN;
  private int draws;
  private double longestSeconds;
  private int advances;
  private double advancedSeconds;
  private @Nullable Evidence line;

  DrawnBar() {}

  /// Whether it shows the same count as before.
  boolean shows(long done) {
    return done == count;
  }

  /// Records that the bar is drawn.
  void drawn(long done, double seconds, Evidence evidence) {
    if (done < count || seconds < lastSeconds) {
      beganSeconds = Double.NaN; // another epoch's
    }
    if (done != count || Double.isNaN(beganSeconds)) {
      if (done > count && !Double.isNaN(beganSeconds)) {
        advances++;
        advancedSeconds += seconds - beganSeconds;
        longestSeconds = Math.max(longestSeconds, seconds - beganSeconds);
      }
      count = done;
      beganSeconds = seconds;
      draws = 0;
    }
    draws++;
    lastSeconds = seconds;
    line = evidence;
  }

  /// Records that something else goes on: the bar has not stood still until now.
  void interrupt() {
    if (!Double.isNaN(beganSeconds)) {
      longestSeconds = Math.max(longestSeconds, standsSeconds());
      beganSeconds = Double.NaN;
    }
  }

  /// The count that it shows, -1 if none was drawn.
  public long count() {
    return count;
  }

  /// For how many seconds it has stood still, 0 if something else has gone on.
  public double standsSeconds() {
    return Double.isNaN(beganSeconds) ? 0 : lastSeconds - beganSeconds;
  }

  /// How often it was drawn with its present count.
  public int draws() {
    return draws;
  }

  /// The longest time that it stood still before it moved on, in seconds.
  public double longestSeconds() {
    return longestSeconds;
  }

  /// How often it moved on.
  public int advances() {
    return advances;
  }

  /// Mean seconds until it moved on, NaN if it never did.
  public double usualSeconds() {
    return advances == 0 ? Double.NaN : advancedSeconds / advances;
  }

  /// The line that drew it last.
  public @Nullable Evidence line() {
    return line;
  }
}
