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
/// @param causedBy id of the finding of the same run that this one follows from; null for a finding
///     that stands for itself, and in records of before 0.2
/// @param witnesses who says so, each on its own; empty where the evidence is all there is
/// @param tryNow spelled `try`: commands to run next, empty where none is known
/// @param type of a straggler: what makes it late; null for other kinds
/// @param agree whether those witnesses that blame somebody blame the same ranks; null where fewer
///   than two do
/// @param runbook where it is written what to do, as a path in the repository; null in records of
///     before 0.2, as are type and agree
/// @param lateStep of a straggler: a collective to which it came late; null for other kinds, and
///   where no line of one was kept
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

  /// A finding that is active, blames nobody and follows from nothing, but for what is said here.
  ///
  /// @throws IllegalArgumentException without a line of proof, or with too many
  public static Finding of(String id, FindingKind kind, Severity severity, Consumer<Fields> said) {
    var fields = new Fields(id, kind, severity);
    said.accept(fields);
    return fields.finding();
  }

  /// The same finding where something else is said.
  public Finding with(Consumer<Fields> change) {
    var fields = new Fields(this);
    change.accept(fields);
    return fields.finding();
  }

  /// The same finding, known since another moment.
  public Finding detectedAt(Instant moment) {
    return with(its -> its.detectedAt = moment);
  }

  /// The same finding as what follows from another, or from none.
  public Finding following(@Nullable String other) {
    return with(its -> its.causedBy = other);
  }

  /// The same finding at another severity.
  public Finding atSeverity(Severity other) {
    return with(its -> its.severity = other);
  }

  /// Whether the finding still holds.
  public enum State implements Labelled {
    ACTIVE,
    CLEARED;

    public boolean over() {
      return this == CLEARED;
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

  /// What a finding says, while it is written. Not thread-safe.
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

    /// Active, blaming nobody, following from nothing.
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

    /// @throws IllegalArgumentException without a line of proof, or with too many
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
