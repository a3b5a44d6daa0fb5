package io.ringside.streams.bill;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Nanos;
import io.ringside.schemas.event.RunBill;
import io.ringside.schemas.event.RunBill.Ahead;
import io.ringside.schemas.event.RunSummary;
import io.ringside.streams.bill.Bill.Entry;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Predicts what faults will cost if nobody acts. For findings that still hold in a live run, it is
/// the share of the time that they have taken so far; for a slow transport, it comes from the job's
/// own pairs of runs.
///
/// Steady costs are taken to continue. If a cost grew or fell, the later half counts more, and the
/// interval includes both.
final class CostForecast {
  /// A recording whose last line is older than this may be of a run that ended long ago.
  private static final Duration FRESH = Duration.ofMinutes(10);

  /// Least relative error: the next hour differs from the last one by this, however well that one
  /// is known.
  private static final double LEAST_ERROR = 0.05;

  private static final double HOUR = 3600;

  private CostForecast() {}

  /// @param found the finding that shows the rate and still holds
  private record Rate(Finding root, Finding found, SavedTime share, String basis) {}

  /// Whether the run continues.
  ///
  /// @param until time of the run's last line
  static boolean goesOn(RunSummary.State state, Examination examination, @Nullable Instant until) {
    return !state.over()
        && switch (examination.mode()) {
          case LIVE -> true;
          case RECORDED -> until != null && until.plus(FRESH).isAfter(examination.now());
        };
  }

  /// The predictions for a run that continues; most expensive first.
  ///
  /// @param entries what is billed, with no time counted twice
  /// @param prices prices of findings without a billed item
  /// @param speaks whether the run still writes lines: otherwise nothing is known except that it
  ///   hangs
  static List<Ahead> of(
      List<Entry> entries,
      List<PriceList.Estimate> prices,
      Examination examination,
      @Nullable Instant until,
      boolean speaks) {
    var rates = new ArrayList<Rate>();
    entries.stream()
        .filter(entry -> speaks || entry.finding().kind() == FindingKind.HANG)
        .forEach(entry -> rate(entry, until).ifPresent(rates::add));
    prices.stream()
        .filter(_ -> speaks)
        .forEach(
            told ->
                told.share()
                    .map(share -> new Rate(told.finding(), told.finding(), share, told.basis()))
                    .ifPresent(rates::add));
    double sum = rates.stream().mapToDouble(rate -> rate.share().seconds()).sum();
    double most = sum > 1 ? 1 / sum : 1;
    return rates.stream()
        .map(rate -> ahead(rate, most, examination))
        .sorted(Comparator.comparingDouble(Ahead::share).reversed().thenComparing(Ahead::finding))
        .limit(RunBill.MAX_ITEMS)
        .toList();
  }

  private static Optional<Rate> rate(Entry entry, @Nullable Instant until) {
    var finding = entry.finding();
    var charge = entry.charge();
    if (finding.state().over() || finding.until() != null || until == null) {
      return Optional.empty();
    }
    if (finding.kind() == FindingKind.HANG) {
      return Optional.of(
          new Rate(entry.root(), finding, new SavedTime(1, 1, 1), "no rank makes progress"));
    }
    double seconds =
        charge.during().first().stream()
            .mapToDouble(first -> Nanos.seconds(Nanos.of(until) - first))
            .findFirst()
            .orElse(0);
    return seconds <= 0 || charge.saved().seconds() <= 0
        ? Optional.empty()
        : Optional.of(
            new Rate(
                entry.root(),
                finding,
                share(charge, seconds),
                "as in the last " + DurationWords.time(seconds)));
  }

  private static SavedTime share(Charge.Known charge, double seconds) {
    var saved = charge.saved().times(1 / seconds);
    double recent = charge.recent();
    double share = saved.seconds() * (1 + recent) / 2;
    double error = LEAST_ERROR * share;
    return new SavedTime(
        Math.min(1, share),
        saved.low() * Math.min(1, recent) - error,
        Math.min(1, saved.high() * Math.max(1, recent) + error));
  }

  private static Ahead ahead(Rate rate, double most, Examination examination) {
    var share = rate.share().times(most);
    double gpuSeconds = HOUR * share.seconds() * Math.max(1, examination.run().nranks());
    return new Ahead(
        rate.root().kind(),
        rate.root().id(),
        rate.found().ranks().isEmpty() ? rate.root().ranks() : rate.found().ranks(),
        Bill.millis(share.seconds()),
        Bill.millis(share.low()),
        Bill.millis(share.high()),
        Bill.millis(gpuSeconds),
        Price.of(examination).map(price -> Bill.money(gpuSeconds, price)).orElse(null),
        rate.basis());
  }
}
