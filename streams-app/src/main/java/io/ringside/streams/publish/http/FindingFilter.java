package io.ringside.streams.publish.http;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The parameters of `GET /api/findings`. Each narrows the list; a value outside the contract is
/// refused and not just without result.
///
/// @param limit how many findings to send, 1 to 10,000
record FindingFilter(
    Optional<String> cluster,
    Optional<String> job,
    Optional<FindingKind> kind,
    Optional<Severity> severity,
    Optional<Finding.State> state,
    int limit) {

  /// Active before cleared, worst first, newest first.
  static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::state)
          .thenComparing(Finding::severity, Comparator.reverseOrder())
          .thenComparing(Finding::detectedAt, Comparator.reverseOrder())
          .thenComparing(Finding::job)
          .thenComparing(Finding::id);

  private static final int DEFAULT_LIMIT = 1_000;
  private static final int MAX_LIMIT = 10_000;

  static FindingFilter of(Request request) {
    request.allowOnly(Set.of("cluster", "job", "kind", "severity", "state", "limit"));
    return new FindingFilter(
        request.parameter("cluster"),
        request.parameter("job"),
        choice(request, "kind", FindingKind.values(), FindingKind::label),
        choice(request, "severity", Severity.values(), Severity::label),
        choice(request, "state", Finding.State.values(), Finding.State::label),
        request.parameter("limit").map(FindingFilter::limit).orElse(DEFAULT_LIMIT));
  }

  boolean matches(Finding finding) {
    return cluster.map(finding.cluster()::equals).orElse(true)
        && job.map(finding.job()::equals).orElse(true)
        && kind.map(finding.kind()::equals).orElse(true)
        && severity.map(finding.severity()::equals).orElse(true)
        && state.map(finding.state()::equals).orElse(true);
  }

  private static <T> Optional<T> choice(
      Request request, String name, T[] choices, Function<T, String> label) {
    return request
        .parameter(name)
        .map(
            given ->
                Arrays.stream(choices)
                    .filter(choice -> label.apply(choice).equals(given))
                    .findFirst()
                    .orElseThrow(() -> new Refused(400, wrong(name, given, choices, label))));
  }

  private static <T> String wrong(
      String name, String given, T[] choices, Function<T, String> label) {
    List<String> known = Arrays.stream(choices).map(label).toList();
    return "%s cannot be '%s', only %s".formatted(name, given, String.join(", ", known));
  }

  private static int limit(String text) {
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= MAX_LIMIT) {
        return limit;
      }
    } catch (NumberFormatException ignored) {
      // refused below like a number out of range
    }
    throw new Refused(400, "limit must be 1 to %d, was '%s'".formatted(MAX_LIMIT, text));
  }
}
