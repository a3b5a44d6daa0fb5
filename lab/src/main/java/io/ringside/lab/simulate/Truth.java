package io.ringside.lab.simulate;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is true of a job, and so what must be found and what must not.
///
/// @param expected findings that must come
/// @param tolerated kinds that may be found beside them, since they follow from what is true
/// @param gpuDays GPUs times days
public record Truth(List<Expected> expected, Set<FindingKind> tolerated, double gpuDays) {

  public Truth {
    expected = List.copyOf(expected);
    tolerated = Set.copyOf(tolerated);
  }

  /// Whether nothing above info may be found.
  public boolean healthy() {
    return expected.stream().noneMatch(e -> e.atLeast().compareTo(Severity.INFO) > 0);
  }

  /// A finding that must come.
  ///
  /// @param ranks those to name, empty where the truth does not say
  /// @param cause as findings spell it, empty where it does not matter
  /// @param since when it began, null where that is not scored
  /// @param provenAt when the line that proves it was sent, null where the delay is not scored
  /// @param hard what makes it hard to find, empty if nothing does; scored apart
  public record Expected(
      FindingKind kind,
      Severity atLeast,
      Set<Integer> ranks,
      String cause,
      @Nullable Instant since,
      @Nullable Instant until,
      @Nullable Instant provenAt,
      String hard) {

    public Expected {
      ranks = Set.copyOf(ranks);
    }

    /// A finding of no certain ranks, of which only kind and severity are scored.
    static Expected of(FindingKind kind, Severity atLeast) {
      return new Expected(kind, atLeast, Set.of(), "", null, null, null, "");
    }

    Expected on(Set<Integer> these) {
      return new Expected(kind, atLeast, these, cause, since, until, provenAt, hard);
    }

    Expected because(String of) {
      return new Expected(kind, atLeast, ranks, of, since, until, provenAt, hard);
    }

    Expected between(Instant from, Instant to) {
      return new Expected(kind, atLeast, ranks, cause, from, to, provenAt, hard);
    }

    Expected proven(@Nullable Instant at) {
      return new Expected(kind, atLeast, ranks, cause, since, until, at, hard);
    }

    Expected hard(String why) {
      return new Expected(kind, atLeast, ranks, cause, since, until, provenAt, why);
    }
  }
}
