package io.ringside.streams.publish.http;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.JobKey;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The parameters of `GET /api/findings`. Each narrows the list. A value outside the contract is
/// refused instead of giving an empty result.
///
/// @param page which part of the list to send
record FindingFilter(
    Optional<String> cluster,
    Optional<String> namespace,
    Optional<String> job,
    Optional<FindingKind> kind,
    Optional<Severity> severity,
    Optional<Finding.State> state,
    PageCursor<FindingFilter.Place> page) {

  /// Active before cleared, worst first, newest first.
  record Place(Finding.State state, Severity severity, Instant detectedAt, JobKey job, String id)
      implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::state)
            .thenComparing(Place::severity, Comparator.reverseOrder())
            .thenComparing(Place::detectedAt, Comparator.reverseOrder())
            .thenComparing(Place::job)
            .thenComparing(Place::id);

    static Place of(Finding finding) {
      return new Place(
          finding.state(),
          finding.severity(),
          finding.detectedAt(),
          JobKey.of(finding),
          finding.id());
    }

    static Place read(String[] parts) {
      return new Place(
          Finding.State.valueOf(parts[0]),
          Severity.valueOf(parts[1]),
          Instant.parse(parts[2]),
          new JobKey(parts[3], parts[4], parts[5]),
          parts[6]);
    }

    String[] parts() {
      return new String[] {
        state.name(),
        severity.name(),
        detectedAt.toString(),
        job.cluster(),
        job.namespace(),
        job.job(),
        id
      };
    }

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  static FindingFilter of(Request request) {
    request.allowOnly(
        Set.of("cluster", "namespace", "job", "kind", "severity", "state", "limit", "cursor"));
    return new FindingFilter(
        request.parameter("cluster"),
        request.parameter("namespace"),
        request.parameter("job"),
        choice(request, "kind", FindingKind.values(), FindingKind::label),
        choice(request, "severity", Severity.values(), Severity::label),
        choice(request, "state", Finding.State.values(), Finding.State::label),
        PageCursor.of(request, Place::read));
  }

  boolean matches(Finding finding) {
    return cluster.map(finding.cluster()::equals).orElse(true)
        && namespace.map(finding.namespace()::equals).orElse(true)
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
                    .orElseThrow(
                        () -> new RefusedRequest(400, wrong(name, given, choices, label))));
  }

  private static <T> String wrong(
      String name, String given, T[] choices, Function<T, String> label) {
    List<String> known = Arrays.stream(choices).map(label).toList();
    return "%s cannot be '%s', only %s".formatted(name, given, String.join(", ", known));
  }
}
