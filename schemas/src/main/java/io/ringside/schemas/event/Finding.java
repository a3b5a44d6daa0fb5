package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One finding about a job, in its current state: the record of `ringside.findings.v1`.
///
/// Findings are levels, not events: the same `id` is raised, updated and cleared, and a repeated
/// record changes nothing.
///
/// @param id stable for the same job, run, kind and subject
/// @param namespace of the job's pods; empty outside of Kubernetes, and in records before 0.2
/// @param run the run's id (commId of its world communicator), empty for a finding about a node
/// @param failureClass for a failed job, why it died; spelled `class`; else null
/// @param ranks global ranks concerned, ascending; for waits the ranks to blame
/// @param gpus PCI bus ids
/// @param since when it began, null if the evidence has no times
/// @param until when it ended, null while active or if the evidence has no times
/// @param detectedAt when Ringside detected it
/// @param summary one sentence
/// @param cause the cause in words; null if unknown
/// @param evidence 1 to 8 raw lines or samples
/// @param causedBy id of the finding of the same run that caused this one; null for an independent
///     finding, and in records before 0.2
/// @param witnesses independent sources that support the finding; empty if there is only the
///     evidence
/// @param tryNow commands to run next, spelled `try`; empty if none is known
/// @param type for a straggler, what makes it late; null for other kinds
/// @param agree whether the witnesses that blame ranks blame the same ranks; null if fewer than two
///     blame any
/// @param runbook document that says what to do, as a path in the repository. Like type and agree,
///     null in records before 0.2
/// @param lateStep for a straggler, a collective to which it came late; null for other kinds, and
///     if the lines of none were kept
public record Finding(
    String id,
    FindingKind kind,
    Severity severity,
    State state,
    String cluster,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) String namespace,
    String job,
    String run,
    @JsonProperty("class") @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable FailureClass failureClass,
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
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String causedBy,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Witness> witnesses,
    @JsonProperty("try") @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> tryNow,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable StragglerType type,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean agree,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String runbook,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LateStep lateStep)
    implements TelemetryEvent {

  /// Most pieces of evidence of a finding.
  public static final int MAX_EVIDENCE = 8;

  public Finding {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(detectedAt, "detectedAt");
    Objects.requireNonNull(cost, "cost");
    namespace = Objects.requireNonNullElse(namespace, "");
    ranks = List.copyOf(ranks);
    nodes = List.copyOf(nodes);
    pods = List.copyOf(pods);
    gpus = List.copyOf(gpus);
    evidence = List.copyOf(evidence);
    witnesses = copy(witnesses);
    tryNow = copy(tryNow);
    if (evidence.isEmpty() || evidence.size() > MAX_EVIDENCE) {
      throw new IllegalArgumentException(
          "finding %s has %d pieces of evidence, not 1 to %d"
              .formatted(id, evidence.size(), MAX_EVIDENCE));
    }
  }

  /// Copies a list that may be missing in records of older versions.
  private static <T> List<T> copy(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /// An active finding that blames no rank and has no cause, changed by the given setter.
  ///
  /// @throws IllegalArgumentException without evidence, or with too much
  public static Finding of(String id, FindingKind kind, Severity severity, Consumer<Fields> said) {
    var fields = new Fields(id, kind, severity);
    said.accept(fields);
    return fields.finding();
  }

  /// The same finding with some fields changed.
  public Finding with(Consumer<Fields> change) {
    var fields = new Fields(this);
    change.accept(fields);
    return fields.finding();
  }

  /// The same finding with another detection time.
  public Finding detectedAt(Instant moment) {
    return with(its -> its.detectedAt = moment);
  }

  /// The same finding, caused by another finding or by none.
  public Finding following(@Nullable String other) {
    return with(its -> its.causedBy = other);
  }

  /// The same finding at another severity.
  public Finding atSeverity(Severity other) {
    return with(its -> its.severity = other);
  }

  /// Whether the finding still holds.
  public enum State implements LabelledEnum {
    ACTIVE,
    CLEARED;

    public boolean over() {
      return this == CLEARED;
    }
  }

  /// A source of knowledge that is independent of the others.
  ///
  /// @param name `arrivals`, `watchdog`, `ras`, `flight-recorder`, `inspector`, `gpu-power`
  /// @param ranks ranks that it blames, ascending; empty if it blames none
  /// @param says its statement in words
  public record Witness(String name, List<Integer> ranks, String says) {
    public Witness {
      Objects.requireNonNull(name, "name");
      ranks = ranks.stream().sorted().toList();
      Objects.requireNonNull(says, "says");
    }
  }

  /// The fields of a finding while it is being built. Not thread-safe.
  public static final class Fields {
    private static final JobKey NO_JOB = new JobKey("", "", "");

    public String id;
    public FindingKind kind;
    public Severity severity;
    public State state = State.ACTIVE;
    public JobKey job = NO_JOB;
    public String run = "";
    public @Nullable FailureClass failureClass;
    public List<Integer> ranks = List.of();
    public List<String> nodes = List.of();
    public List<String> pods = List.of();
    public List<String> gpus = List.of();
    public @Nullable Instant since;
    public @Nullable Instant until;
    public Instant detectedAt = Instant.EPOCH;
    public String summary = "";
    public String expected = "";
    public String observed = "";
    public Cost cost = Cost.UNKNOWN;
    public @Nullable String cause;
    public List<Evidence> evidence = List.of();
    public @Nullable String causedBy;
    public List<Witness> witnesses = List.of();
    public List<String> tryNow = List.of();
    public @Nullable LateStep lateStep;

    /// Fields of an active finding that blames no rank and has no cause.
    public Fields(String id, FindingKind kind, Severity severity) {
      this.id = id;
      this.kind = kind;
      this.severity = severity;
    }

    private Fields(Finding finding) {
      this(finding.id, finding.kind, finding.severity);
      job = JobKey.of(finding);
      state = finding.state;
      run = finding.run;
      failureClass = finding.failureClass;
      ranks = finding.ranks;
      nodes = finding.nodes;
      pods = finding.pods;
      gpus = finding.gpus;
      since = finding.since;
      until = finding.until;
      detectedAt = finding.detectedAt;
      summary = finding.summary;
      expected = finding.expected;
      observed = finding.observed;
      cost = finding.cost;
      cause = finding.cause;
      evidence = finding.evidence;
      causedBy = finding.causedBy;
      witnesses = finding.witnesses;
      tryNow = finding.tryNow;
      lateStep = finding.lateStep;
    }

    /// @throws IllegalArgumentException without evidence, or with too much
    public Finding finding() {
      return new Finding(
          id,
          kind,
          severity,
          state,
          job.cluster(),
          job.namespace(),
          job.job(),
          run,
          failureClass,
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
          causedBy,
          witnesses,
          tryNow,
          kind == FindingKind.STRAGGLER ? StragglerType.ofCause(cause) : null,
          agree(),
          kind.runbook(),
          lateStep);
    }

    private @Nullable Boolean agree() {
      var blamed = witnesses.stream().map(Witness::ranks).filter(it -> !it.isEmpty()).toList();
      return blamed.size() < 2 ? null : blamed.stream().distinct().count() == 1;
    }
  }
}
