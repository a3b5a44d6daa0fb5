package io.ringside.streams.examine;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.GpuSample;
import io.ringside.schemas.event.LateStep;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.job.TrainingProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Builds a detector's finding about a run, with its proof and with the places of the processes
/// that it is about. Not thread-safe.
public final class FindingDraft {
  private final Examination examination;
  private final Finding.Fields finding;
  private final List<TrainingProcess> processes = new ArrayList<>();
  private final Set<Integer> ranks = new TreeSet<>();
  private final Set<String> nodes = new TreeSet<>();
  private final Set<String> pods = new TreeSet<>();
  private final Set<String> gpus = new TreeSet<>();
  private final Set<Evidence> evidence = new LinkedHashSet<>();
  private final List<Finding.Witness> witnesses = new ArrayList<>();
  private final List<String> tryNow = new ArrayList<>();
  private String subject = "";

  private FindingDraft(FindingKind kind, Severity severity, Examination examination) {
    this.examination = examination;
    this.finding = new Finding.Fields("", kind, severity);
  }

  /// Begins a finding about these processes.
  public static FindingDraft about(
      FindingKind kind,
      Severity severity,
      Examination examination,
      Collection<TrainingProcess> processes) {
    var draft = new FindingDraft(kind, severity, examination);
    draft.processes.addAll(processes);
    for (var process : processes) {
      if (examination.run().rank(process) >= 0) {
        draft.ranks.add(examination.run().rank(process));
      }
      draft.nodes.add(process.node());
      draft.pods.add(process.source().pod());
      if (process.busId() != null) {
        draft.gpus.add(process.busId());
      }
    }
    return draft;
  }

  /// Begins a finding about these ranks, of which some may have no lines of their own.
  public static FindingDraft ofRanks(
      FindingKind kind, Severity severity, Examination examination, Collection<Integer> ranks) {
    var draft = about(kind, severity, examination, examination.run().ofRanks(ranks));
    draft.ranks.addAll(ranks);
    return draft;
  }

  /// Sets the part of the run that the finding is about; by default it is the run itself.
  public FindingDraft subject(String value) {
    subject = value;
    return this;
  }

  /// Adds a rank that has no lines of its own.
  public FindingDraft rank(int rank) {
    ranks.add(rank);
    return this;
  }

  /// Adds a GPU that no known process of the run holds.
  public FindingDraft gpu(String busId) {
    gpus.add(busId);
    return this;
  }

  public FindingDraft between(@Nullable Instant begin, @Nullable Instant end) {
    finding.since = told(begin);
    finding.until = told(end);
    return this;
  }

  private static @Nullable Instant told(@Nullable Instant at) {
    return at == null || GpuSample.isUntimed(at) ? null : at;
  }

  /// Sets the beginning to the earliest proof so far: proofs that follow are from another time.
  public FindingDraft beganByNow() {
    finding.since = earliestProof();
    return this;
  }

  /// Sets when the finding held, and whether it still does.
  public FindingDraft held(@Nullable Instant begin, @Nullable Instant end, boolean active) {
    return active ? between(begin, null) : between(begin, end).ended();
  }

  /// Marks the finding as over.
  public FindingDraft ended() {
    finding.state = Finding.State.CLEARED;
    return this;
  }

  public FindingDraft summary(String value) {
    finding.summary = value;
    return this;
  }

  public FindingDraft expected(String value) {
    finding.expected = value;
    return this;
  }

  public FindingDraft observed(String value) {
    finding.observed = value;
    return this;
  }

  public FindingDraft cost(Cost value) {
    finding.cost = value;
    return this;
  }

  public FindingDraft cause(@Nullable String value) {
    finding.cause = value;
    return this;
  }

  /// Sets why a failed job died.
  public FindingDraft failureClass(FailureClass value) {
    finding.failureClass = value;
    return this;
  }

  /// Adds a witness that confirms the finding independently.
  ///
  /// @param name name of the witness as the contract spells it
  /// @param blamed ranks that the witness blames, empty for none
  public FindingDraft witness(String name, Collection<Integer> blamed, String says) {
    witnesses.add(new Finding.Witness(name, List.copyOf(blamed), says));
    return this;
  }

  /// Adds a command to run next; such commands replace the usual ones.
  public FindingDraft tryNow(String command) {
    tryNow.add(command);
    return this;
  }

  /// Sets a collective to which the rank came late.
  public FindingDraft lateStep(LateStep value) {
    finding.lateStep = value;
    return this;
  }

  /// Adds a line of proof; lines beyond the limit are left out, null is skipped.
  public FindingDraft proof(@Nullable Evidence line) {
    if (line != null && evidence.size() < Finding.MAX_EVIDENCE) {
      evidence.add(line);
    }
    return this;
  }

  public FindingDraft proofs(Collection<Evidence> lines) {
    lines.forEach(this::proof);
    return this;
  }

  /// Whether there is a line of proof: without one, no finding may be made.
  public boolean proved() {
    return !evidence.isEmpty();
  }

  /// Whether a finding has this subject: its ID ends with it.
  public static boolean isAbout(String subject, Finding finding) {
    return finding.id().endsWith(end(subject));
  }

  private static String end(String subject) {
    return ":" + subject.replace(' ', '-');
  }

  /// Builds the finding. Its beginning is the earliest line of proof unless it was set.
  ///
  /// @throws IllegalArgumentException without a line of proof
  public Finding finding() {
    var about = subject.isEmpty() ? "" : end(subject);
    finding.job = examination.job().key();
    finding.run = examination.run().id();
    finding.id =
        "%s:%s:%s%s".formatted(finding.job.job(), finding.run, finding.kind.label(), about);
    finding.ranks = List.copyOf(ranks);
    finding.nodes = List.copyOf(nodes);
    finding.pods = List.copyOf(pods);
    finding.gpus = List.copyOf(gpus);
    finding.since = finding.since == null ? earliestProof() : finding.since;
    finding.detectedAt = examination.now();
    finding.evidence = List.copyOf(evidence);
    finding.witnesses = witnesses;
    finding.tryNow = tryNow.isEmpty() ? nextSteps() : tryNow;
    return finding.finding();
  }

  private List<String> nextSteps() {
    return finding.failureClass == null
        ? NextSteps.of(finding.kind, processes)
        : NextSteps.ofDeath(finding.failureClass, processes);
  }

  private @Nullable Instant earliestProof() {
    Instant earliest = null;
    for (var line : evidence) {
      if (line.time() != null && (earliest == null || line.time().isBefore(earliest))) {
        earliest = line.time();
      }
    }
    return earliest;
  }
}
