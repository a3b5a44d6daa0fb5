package io.ringside.schemas.event;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
/// @param namespace of the job's pods; empty outside of Kubernetes, and in records of before 0.2
/// @param run the run's id (commId of its world communicator), empty for a finding about a node
/// @param failureClass of a failed job, spelled `class`: what it died of; else null
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
/// @param witnesses who says so, each on its own; empty where the evidence is all there is
/// @param tryNow spelled `try`: commands to run next, empty where none is known
/// @param type of a straggler: what makes it late; null for other kinds
/// @param agree whether those witnesses that blame somebody blame the same ranks; null where fewer than two do
/// @param runbook where it is written what to do, as a path in the repository; null in records of before 0.2, as are type and
///     agree
/// @param lateStep of a straggler: a collective to which it came late; null for other kinds, and where no line of one was kept
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

  /// The most lines a finding carries as proof.
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

  /// Records of older versions lack the list.
  private static <T> List<T> copy(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /// Begins a finding that is active, blames nobody and follows from nothing.
  public static Builder of(String id, FindingKind kind, Severity severity) {
    return new Builder(id, kind, severity);
  }

  /// A copy to change.
  public Builder but() {
    return of(id, kind, severity)
        .state(state)
        .job(JobKey.of(this))
        .run(run)
        .failureClass(failureClass)
        .ranks(ranks)
        .nodes(nodes)
        .pods(pods)
        .gpus(gpus)
        .between(since, until)
        .detectedAt(detectedAt)
        .summary(summary)
        .expected(expected)
        .observed(observed)
        .cost(cost)
        .cause(cause)
        .evidence(evidence)
        .causedBy(causedBy)
        .witnesses(witnesses)
        .tryNow(tryNow)
        .lateStep(lateStep);
  }

  /// The same finding, known since another moment.
  public Finding detectedAt(Instant moment) {
    return but().detectedAt(moment).build();
  }

  /// The same finding as what follows from another, or from none.
  public Finding following(@Nullable String other) {
    return but().causedBy(other).build();
  }

  /// The same finding at another severity.
  public Finding atSeverity(Severity other) {
    return but().severity(other).build();
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

  /// One source of knowledge that does not know of the others.
  ///
  /// @param name `arrivals`, `watchdog`, `ras`, `flight-recorder`, `inspector`, `gpu-power`
  /// @param ranks whom it blames, ascending; empty where it blames nobody
  /// @param says its statement in words
  public record Witness(String name, List<Integer> ranks, String says) {
    public Witness {
      Objects.requireNonNull(name, "name");
      ranks = ranks.stream().sorted().toList();
      Objects.requireNonNull(says, "says");
    }
  }

  /// A finding being written. Not thread-safe.
  public static final class Builder {
    private static final JobKey NO_JOB = new JobKey("", "", "");

    private String id;
    private final FindingKind kind;
    private Severity severity;
    private State state = State.ACTIVE;
    private JobKey job = NO_JOB;
    private String run = "";
    private @Nullable FailureClass failureClass;
    private List<Integer> ranks = List.of();
    private List<String> nodes = List.of();
    private List<String> pods = List.of();
    private List<String> gpus = List.of();
    private @Nullable Instant since;
    private @Nullable Instant until;
    private Instant detectedAt = Instant.EPOCH;
    private String summary = "";
    private String expected = "";
    private String observed = "";
    private Cost cost = Cost.UNKNOWN;
    private @Nullable String cause;
    private List<Evidence> evidence = List.of();
    private @Nullable String causedBy;
    private List<Witness> witnesses = List.of();
    private List<String> tryNow = List.of();
    private @Nullable LateStep lateStep;

    private Builder(String id, FindingKind kind, Severity severity) {
      this.id = id;
      this.kind = kind;
      this.severity = severity;
    }

    public Builder id(String value) {
      id = value;
      return this;
    }

    public Builder severity(Severity value) {
      severity = value;
      return this;
    }

    public Builder state(State value) {
      state = value;
      return this;
    }

    public Builder job(JobKey value) {
      job = value;
      return this;
    }

    public Builder run(String value) {
      run = value;
      return this;
    }

    public Builder failureClass(@Nullable FailureClass value) {
      failureClass = value;
      return this;
    }

    public Builder ranks(List<Integer> value) {
      ranks = value;
      return this;
    }

    public Builder nodes(List<String> value) {
      nodes = value;
      return this;
    }

    public Builder pods(List<String> value) {
      pods = value;
      return this;
    }

    public Builder gpus(List<String> value) {
      gpus = value;
      return this;
    }

    public Builder between(@Nullable Instant begin, @Nullable Instant end) {
      since = begin;
      until = end;
      return this;
    }

    public Builder detectedAt(Instant value) {
      detectedAt = value;
      return this;
    }

    public Builder summary(String value) {
      summary = value;
      return this;
    }

    public Builder expected(String value) {
      expected = value;
      return this;
    }

    public Builder observed(String value) {
      observed = value;
      return this;
    }

    public Builder cost(Cost value) {
      cost = value;
      return this;
    }

    public Builder cause(@Nullable String value) {
      cause = value;
      return this;
    }

    public Builder evidence(List<Evidence> value) {
      evidence = value;
      return this;
    }

    public Builder causedBy(@Nullable String value) {
      causedBy = value;
      return this;
    }

    public Builder witnesses(List<Witness> value) {
      witnesses = value;
      return this;
    }

    public Builder tryNow(List<String> value) {
      tryNow = value;
      return this;
    }

    public Builder lateStep(@Nullable LateStep value) {
      lateStep = value;
      return this;
    }

    /// @throws IllegalArgumentException without a line of proof, or with too many
    public Finding build() {
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
