package io.ringside.streams.examine;

import io.ringside.schemas.event.Cost;
import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.FailureClass;
import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.job.Run;
import io.ringside.streams.job.TrainingProcess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What a detector says of a run: a finding without its name and dates of publication.
///
/// @param subject what within the run it is about, empty for the run itself
/// @param active false if it has ended
public record Claim(
    FindingKind kind,
    String subject,
    Severity severity,
    boolean active,
    List<Integer> ranks,
    List<String> nodes,
    List<String> pods,
    List<String> gpus,
    @Nullable Instant since,
    @Nullable Instant until,
    String summary,
    String expected,
    String observed,
    Cost cost,
    @Nullable String cause,
    List<Evidence> evidence,
    @Nullable FailureClass failureClass,
    List<Finding.Witness> witnesses,
    List<String> tryNow) {

  /// Begins a claim about these processes.
  public static Draft about(
      FindingKind kind, Severity severity, Run run, Collection<TrainingProcess> processes) {
    return new Draft(kind, severity, run, processes);
  }

  /// A claim being written. Not thread-safe.
  public static final class Draft {
    private final FindingKind kind;
    private final Severity severity;
    private final Set<Integer> ranks = new TreeSet<>();
    private final Set<String> nodes = new TreeSet<>();
    private final Set<String> pods = new TreeSet<>();
    private final Set<String> gpus = new TreeSet<>();
    private final Set<Evidence> evidence = new LinkedHashSet<>();
    private String subject = "";
    private boolean active = true;
    private @Nullable Instant since;
    private @Nullable Instant until;
    private String summary = "";
    private String expected = "";
    private String observed = "";
    private Cost cost = Cost.UNKNOWN;
    private @Nullable String cause;
    private @Nullable FailureClass failureClass;
    private final List<Finding.Witness> witnesses = new ArrayList<>();
    private final List<String> tryNow = new ArrayList<>();

    private Draft(
        FindingKind kind, Severity severity, Run run, Collection<TrainingProcess> processes) {
      this.kind = kind;
      this.severity = severity;
      for (var process : processes) {
        if (run.rank(process) >= 0) {
          ranks.add(run.rank(process));
        }
        nodes.add(process.node());
        pods.add(process.source().pod());
        if (process.busId() != null) {
          gpus.add(process.busId());
        }
      }
    }

    public Draft subject(String value) {
      subject = value;
      return this;
    }

    /// Ranks that have no lines of their own.
    public Draft rank(int rank) {
      ranks.add(rank);
      return this;
    }

    /// A GPU that no process of the run is known to hold.
    public Draft gpu(String busId) {
      gpus.add(busId);
      return this;
    }

    public Draft between(@Nullable Instant begin, @Nullable Instant end) {
      since = begin;
      until = end;
      return this;
    }

    /// Says that it is over.
    public Draft ended() {
      active = false;
      return this;
    }

    public Draft summary(String value) {
      summary = value;
      return this;
    }

    public Draft expected(String value) {
      expected = value;
      return this;
    }

    public Draft observed(String value) {
      observed = value;
      return this;
    }

    public Draft cost(Cost value) {
      cost = value;
      return this;
    }

    public Draft cause(@Nullable String value) {
      cause = value;
      return this;
    }

    /// What a failed job died of.
    public Draft failureClass(FailureClass value) {
      failureClass = value;
      return this;
    }

    public Draft witness(Finding.Witness witness) {
      witnesses.add(witness);
      return this;
    }

    /// A command to run next.
    public Draft tryNow(String command) {
      tryNow.add(command);
      return this;
    }

    /// Adds a line of proof; lines beyond the limit are left out, null is skipped.
    public Draft proof(@Nullable Evidence line) {
      if (line != null && evidence.size() < Finding.MAX_EVIDENCE) {
        evidence.add(line);
      }
      return this;
    }

    public Draft proofs(Collection<Evidence> lines) {
      lines.forEach(this::proof);
      return this;
    }

    /// The claim; its beginning is the earliest line of proof where nothing else was said.
    public Claim claim() {
      var begin = since;
      if (begin == null) {
        for (var line : evidence) {
          if (line.time() != null && (begin == null || line.time().isBefore(begin))) {
            begin = line.time();
          }
        }
      }
      return new Claim(
          kind,
          subject,
          severity,
          active,
          new ArrayList<>(ranks),
          new ArrayList<>(nodes),
          new ArrayList<>(pods),
          new ArrayList<>(gpus),
          begin,
          until,
          summary,
          expected,
          observed,
          cost,
          cause,
          new ArrayList<>(evidence),
          failureClass,
          List.copyOf(witnesses),
          List.copyOf(tryNow));
    }
  }
}
