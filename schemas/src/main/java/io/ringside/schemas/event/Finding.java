package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One finding about a job, in its current state: the record of `ringside.findings.v1`.
///
/// Findings are levels, not events: the same `id` is raised, updated and cleared, and saying the
/// same thing twice changes nothing.
///
/// @param id stable for the same job, run, kind and subject
/// @param run the run's id (commId of its world communicator), empty for a finding about a node
/// @param ranks global ranks concerned, ascending; for waits the ranks to blame
/// @param gpus PCI bus ids
/// @param since when it began, null where the evidence carries no times
/// @param until when it ended, null while active or where the evidence carries no times
/// @param detectedAt when Ringside knew
/// @param summary one sentence
/// @param cause what made it so, in words; null where unknown
/// @param evidence 1 to 8 raw lines or samples
/// @param causedBy id of the finding of the same run that this one follows from; null for a finding that
///     stands for itself, and in records of before 0.2
public record Finding(
    String id,
    FindingKind kind,
    Severity severity,
    State state,
    String cluster,
    String job,
    String run,
    List<Integer> ranks,
    List<String> nodes,
    List<String> pods,
    List<String> gpus,
    @Nullable Instant since,
    @Nullable Instant until,
    Instant detectedAt,
    String summary,
    String expected,
    String observed,
    Cost cost,
    @Nullable String cause,
    List<Evidence> evidence,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String causedBy)
    implements TelemetryEvent {

  /// One that stands for itself.
  public Finding(
      String id,
      FindingKind kind,
      Severity severity,
      State state,
      String cluster,
      String job,
      String run,
      List<Integer> ranks,
      List<String> nodes,
      List<String> pods,
      List<String> gpus,
      @Nullable Instant since,
      @Nullable Instant until,
      Instant detectedAt,
      String summary,
      String expected,
      String observed,
      Cost cost,
      @Nullable String cause,
      List<Evidence> evidence) {
    this(
        id,
        kind,
        severity,
        state,
        cluster,
        job,
        run,
        ranks,
        nodes,
        pods,
        gpus,
        since,
        until,
        detectedAt,
        summary,
        expected,
        observed,
        cost,
        cause,
        evidence,
        null);
  }

  /// The most lines a finding carries as proof.
  public static final int MAX_EVIDENCE = 8;

  public Finding {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(detectedAt, "detectedAt");
    Objects.requireNonNull(cost, "cost");
    ranks = List.copyOf(ranks);
    nodes = List.copyOf(nodes);
    pods = List.copyOf(pods);
    gpus = List.copyOf(gpus);
    evidence = List.copyOf(evidence);
    if (evidence.isEmpty() || evidence.size() > MAX_EVIDENCE) {
      throw new IllegalArgumentException(
          "finding %s has %d pieces of evidence, not 1 to %d"
              .formatted(id, evidence.size(), MAX_EVIDENCE));
    }
  }

  /// The same finding, known since another moment.
  public Finding detectedAt(Instant moment) {
    return new Finding(
        id, kind, severity, state, cluster, job, run, ranks, nodes, pods, gpus, since, until,
        moment, summary, expected, observed, cost, cause, evidence, causedBy);
  }

  /// The same finding as what follows from another, or from none.
  public Finding following(@Nullable String other) {
    return new Finding(
        id,
        kind,
        severity,
        state,
        cluster,
        job,
        run,
        ranks,
        nodes,
        pods,
        gpus,
        since,
        until,
        detectedAt,
        summary,
        expected,
        observed,
        cost,
        cause,
        evidence,
        other);
  }

  /// The same finding at another severity.
  public Finding atSeverity(Severity other) {
    return new Finding(
        id,
        kind,
        other,
        state,
        cluster,
        job,
        run,
        ranks,
        nodes,
        pods,
        gpus,
        since,
        until,
        detectedAt,
        summary,
        expected,
        observed,
        cost,
        cause,
        evidence,
        causedBy);
  }

  /// Whether the finding still holds.
  public enum State {
    ACTIVE,
    CLEARED;

    /// As the contract spells it.
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
