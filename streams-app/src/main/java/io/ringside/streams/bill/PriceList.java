package io.ringside.streams.bill;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunBill.NotBilled;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.MeasuredPrice;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a transport cost elsewhere, for a run that has no good one of its own job to be compared with. Other people's jobs
/// price nothing: they are named, and no item is made of them.
final class PriceList {
  private PriceList() {}

  /// @return empty for a note, and where nobody has measured it
  static Optional<NotBilled> of(Finding finding, Expectations expectations) {
    var measured =
        expectations.measuredPrices().stream()
            .filter(price -> price.of(finding.kind()))
            .sorted(Comparator.comparingDouble(MeasuredPrice::ratio))
            .toList();
    return measured.isEmpty() || finding.severity() == Severity.INFO
        ? Optional.empty()
        : Optional.of(
            new NotBilled(
                finding.kind(),
                finding.id(),
                "this job has no earlier healthy run to compare with; "
                    + measured.stream()
                        .map(
                            price ->
                                String.format(
                                    Locale.ROOT,
                                    "on %s such jobs took %.2f times as long",
                                    price.machine(),
                                    price.ratio()))
                        .collect(Collectors.joining(", "))));
  }
}
