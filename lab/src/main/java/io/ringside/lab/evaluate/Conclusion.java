package io.ringside.lab.evaluate;

import io.ringside.lab.figures.Interval;
import io.ringside.lab.figures.TargetCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Whether a scorecard is good: each figure beside its aim, with what so few or so many jobs can
/// prove.
///
/// @param sentences first of all together, then one a figure
record Conclusion(TargetCheck reached, List<String> sentences) {
  /// False alarms above info, in 500 GPU-days of healthy jobs.
  private static final double ALARMS = 0.1;

  /// Share of what is to be found, hard cases included.
  private static final double RECALL = 0.97;

  private static final double DAYS = 500;

  private record Part(TargetCheck reached, String words) {}

  static Conclusion of(Scorecard card) {
    var parts = new ArrayList<Part>();
    parts.add(alarms(card));
    parts.add(recall(card.all()));
    if (card.crashes() > 0) {
      parts.add(
          new Part(
              TargetCheck.NO,
              "the judge gave up on "
                  + (card.crashes() == 1 ? "1 job" : card.crashes() + " jobs")));
    }
    var reached = TargetCheck.all(parts.stream().map(Part::reached).toList());
    var sentences = new ArrayList<String>();
    sentences.add(
        switch (reached) {
          case YES -> "Good: every aim is reached.";
          case OPEN ->
              "Not proven: no aim is missed, but so few jobs do not show that all are reached.";
          case NO -> "Not good: an aim is missed.";
        });
    parts.forEach(part -> sentences.add("  %s: %s".formatted(part.reached().word(), part.words())));
    return new Conclusion(reached, List.copyOf(sentences));
  }

  private static Part alarms(Scorecard card) {
    double days = card.healthyGpuDays();
    if (days == 0) {
      return new Part(
          TargetCheck.OPEN, "no healthy job was among them, so nothing is known of false alarms");
    }
    var likely = Interval.ofCount(card.falseAlarms()).times(DAYS / days);
    var reached = TargetCheck.atMost(ALARMS, likely);
    var counted =
        "%s in %s of healthy jobs"
            .formatted(
                card.falseAlarms() == 1 ? "1 false alarm" : card.falseAlarms() + " false alarms",
                number(days, days < 1 ? 3 : 1) + " GPU-days");
    var possible =
        "%s to %s in %s GPU-days are likely (aim: at most %s)"
            .formatted(
                number(likely.from(), 1),
                number(likely.to(), 1),
                number(DAYS, 0),
                number(ALARMS, 1));
    return new Part(
        reached,
        switch (reached) {
          case YES, NO -> counted + ": " + possible;
          case OPEN ->
              counted
                  + (card.falseAlarms() == 0 ? " prove nothing yet: " : " are too few to tell: ")
                  + possible
                  + "; without any more it takes "
                  + number(Interval.ofCount(card.falseAlarms()).to() * DAYS / ALARMS, 0)
                  + " GPU-days";
        });
  }

  private static Part recall(Score all) {
    int truths = all.hits() + all.misses();
    if (truths == 0) {
      return new Part(
          TargetCheck.OPEN, "nothing was to be found, so nothing is known of what is missed");
    }
    var likely = Interval.ofShare(all.hits(), truths);
    return new Part(
        TargetCheck.atLeast(RECALL, likely),
        "%d of %d were found: between %s and %s of all are likely (aim: at least %s)"
            .formatted(
                all.hits(),
                truths,
                number(likely.from(), 3),
                number(likely.to(), 3),
                number(RECALL, 2)));
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
