package io.ringside.streams.bill;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.RunBill.NotBilled;
import io.ringside.schemas.event.RunSummary;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.examine.DurationWords;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.expect.MeasuredPrice;
import io.ringside.streams.ledger.price.Forecast;
import io.ringside.streams.ledger.price.LearnedPrice;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Predicts what a transport will cost a run that has made too few steps to show it, from pairs of
/// the job's earlier runs, else from measurements on other jobs. The price is only mentioned; it
/// does not become an item of the bill.
final class PriceList {
  private PriceList() {}

  /// What is known about a finding's price.
  ///
  /// @param share share of the time that the run will lose, 0 to 1; empty unless the job's own
  ///   pairs of runs give it with an interval
  /// @param basis where the share comes from, empty without a share
  record Estimate(Finding finding, String because, Optional<SavedTime> share, String basis) {
    NotBilled notBilled() {
      return new NotBilled(finding.kind(), finding.id(), because);
    }
  }

  /// @param line the run's summary, null if there is none
  /// @return empty for a note other than placement advice, and if the price was never measured
  static Optional<Estimate> of(
      Finding finding, Examination examination, @Nullable RunSummary line) {
    return finding.severity() == Severity.INFO && finding.kind() != FindingKind.PLACEMENT_ADVICE
        ? Optional.empty()
        : told(finding, examination, line);
  }

  private static Optional<Estimate> told(
      Finding finding, Examination examination, @Nullable RunSummary line) {
    var kind = finding.kind();
    var forecast =
        line == null
            ? Optional.<Forecast>empty()
            : Forecast.of(kind, line, examination.earlier().lines());
    var learned = forecast.map(Forecast::price);
    if (learned.isPresent()) {
      var words = ownWords(learned.get());
      return forecast.map(
          it ->
              new Estimate(
                  finding, steps(it, learned.get().ratio()) + words, share(learned.get()), words));
    }
    var measured =
        examination.expectations().measuredPrices().stream()
            .filter(price -> price.of(forecast.map(Forecast::kind).orElse(kind)))
            .sorted(Comparator.comparingDouble(MeasuredPrice::ratio))
            .toList();
    return here(measured, line)
        .map(
            price -> forecast.map(it -> steps(it, price.ratio())).orElse("") + measuredWords(price))
        .or(() -> elsewhere(measured))
        .map(because -> new Estimate(finding, because, Optional.empty(), ""));
  }

  /// The lost share of time: a step that takes twice as long loses half of its time.
  private static Optional<SavedTime> share(LearnedPrice price) {
    return price.low() == null || price.high() == null || price.ratio() <= 1
        ? Optional.empty()
        : Optional.of(
            new SavedTime(1 - 1 / price.ratio(), 1 - 1 / price.low(), 1 - 1 / price.high()));
  }

  /// `steps of 1.2 s are to be expected instead of 590 ms: `.
  private static String steps(Forecast forecast, double ratio) {
    return String.format(
        Locale.ROOT,
        "steps of %s are to be expected instead of %s: ",
        DurationWords.time(ratio * forecast.goodMillis() / 1000),
        DurationWords.time(forecast.goodMillis() / 1000));
  }

  /// `2.04 times as long (1.95 to 2.13), by 2 pairs of the job's runs`.
  private static String ownWords(LearnedPrice price) {
    return String.format(
        Locale.ROOT,
        "%.2f times as long%s, by %s of the job's runs",
        price.ratio(),
        price.low() == null || price.high() == null
            ? ""
            : String.format(Locale.ROOT, " (%.2f to %.2f)", price.low(), price.high()),
        price.pairs() == 1 ? "one pair" : price.pairs() + " pairs");
  }

  private static Optional<MeasuredPrice> here(
      List<MeasuredPrice> measured, @Nullable RunSummary line) {
    return measured.stream()
        .filter(price -> line != null && price.machine().equals(line.instanceType()))
        .findFirst();
  }

  private static String measuredWords(MeasuredPrice price) {
    return String.format(
        Locale.ROOT, "%.2f times as long, as one job took on %s", price.ratio(), price.machine());
  }

  private static Optional<String> elsewhere(List<MeasuredPrice> measured) {
    return measured.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "this job has no earlier healthy run to compare with; "
                + measured.stream()
                    .map(
                        price ->
                            String.format(
                                Locale.ROOT,
                                "on %s such jobs took %.2f times as long",
                                price.machine(),
                                price.ratio()))
                    .collect(Collectors.joining(", ")));
  }
}
