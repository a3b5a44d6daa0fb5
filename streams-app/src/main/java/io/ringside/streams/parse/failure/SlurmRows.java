package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Slurm's listings of jobs and their steps: `sacct`, also with `-P`, `squeue`, and
/// `scontrol show job` (Slurm's src/sacct/print.c, src/squeue/opts.c, src/api/job_info.c).
///
/// ```text
///   JobID           JobName      State ExitCode
///   ------------ ---------- ---------- --------
///   4711              train  NODE_FAIL      1:0
///   4711.batch        batch  CANCELLED     0:15      a step
/// ```
public final class SlurmRows {
  private static final Pattern HEAD =
      Pattern.compile("\\s*(?:JOBID|JobID(?:Raw)?)(?:\\s+|\\|)\\S.*");

  private static final Pattern ID =
      Pattern.compile("(\\d+(?:_(?:\\d+|\\[[^\\]]*]))?)(?:\\+\\d+)?(?:\\.(\\w+))?\\+?");

  private static final Pattern ROW =
      Pattern.compile("\\s*" + ID.pattern() + "(?:[\\s|].*)?|[- ]{8,}");

  private static final Pattern FIELD = Pattern.compile("(\\w[\\w/:]*)=(\\S*)");

  /// Possible states of a job or a step.
  private static final List<String> STATES =
      List.of(
          "BOOT_FAIL",
          "CANCELLED",
          "COMPLETED",
          "COMPLETING",
          "DEADLINE",
          "FAILED",
          "NODE_FAIL",
          "OUT_OF_MEMORY",
          "PENDING",
          "PREEMPTED",
          "REQUEUED",
          "RUNNING",
          "SUSPENDED",
          "TIMEOUT");

  /// Columns that are too narrow cut off a state: `OUT_OF_ME+`, and `NODE_FAI` of `squeue -l`.
  private static final int SHORTEST_CUT = 7;

  /// A cell of its own, in any column: a step of a job has no partition.
  private static final Pattern CELL = Pattern.compile("(?<=[\\s|])[A-Z_]{6,}(?=[\\s|+]|$)");

  private static final Pattern EXIT = Pattern.compile("(?<=[\\s|])\\d{1,3}:\\d{1,3}(?=[\\s|]|$)");

  private static final Optional<FailureClass> MEMORY = Optional.of(FailureClass.OUT_OF_MEMORY);

  private SlurmRows() {}

  /// @param step empty for the job itself
  private record Row(int line, String job, String step, String state, String exit) {
    boolean isNumbered() {
      return !step.isEmpty() && Character.isDigit(step.charAt(0));
    }

    Optional<FailureClass> failure() {
      return SlurmRows.failure(state, exit);
    }

    String words() {
      return state + (state.startsWith("F") && !exit.isEmpty() ? ", exit code " + exit : "");
    }
  }

  /// Whether such a listing begins here.
  public static boolean isHead(String line) {
    return HEAD.matcher(line).matches() && line.matches(".*[\\s|](?:State|STATE|ST)(?:[\\s|].*)?")
        || line.strip().startsWith("JobId=");
  }

  /// Whether the line continues such a listing.
  public static boolean isRow(String line) {
    return ROW.matcher(line).matches() || line.startsWith(" ") && FIELD.matcher(line).find();
  }

  /// Reads the jobs that did not end well, and the others.
  public static List<ListedEnd> read(List<String> lines) {
    var jobs = new LinkedHashMap<String, List<Row>>();
    rows(lines).forEach(row -> jobs.computeIfAbsent(row.job(), _ -> new ArrayList<>()).add(row));
    return jobs.values().stream().map(rows -> of(rows, jobs.size() == 1)).toList();
  }

  /// The end of one job. A restarted job is listed several times, its last start last. If the job
  /// itself is not listed, its last step is used instead.
  private static ListedEnd of(List<Row> rows, boolean only) {
    var job = rows.stream().filter(row -> row.step().isEmpty()).reduce((_, last) -> last);
    var steps =
        rows.stream()
            .filter(row -> row.line() > job.map(Row::line).orElse(-1))
            .filter(row -> !row.step().isEmpty() && !row.step().equals("extern"))
            .toList();
    var numbered = steps.stream().filter(Row::isNumbered).toList();
    var row = job.orElseGet(() -> numbered.isEmpty() ? rows.getLast() : numbered.getLast());
    var object = "slurm/" + row.job();
    var words =
        "Slurm job %s%s %s"
            .formatted(row.job(), row.step().isEmpty() ? "" : "." + row.step(), row.words());
    var failure = row.failure();
    if (failure.isEmpty()) {
      boolean failed =
          !numbered.isEmpty()
              && numbered.getLast().failure().filter(it -> !it.wanted()).isPresent();
      return failed
          ? ListedEnd.of(
              row.line(),
              object,
              FailureClass.UNKNOWN,
              words + ", its step " + numbered.getLast().words(),
              false,
              only)
          : ListedEnd.stands(row.line(), object, words);
    }
    boolean memory =
        failure.get() == FailureClass.UNKNOWN
            && steps.stream().anyMatch(it -> it.failure().equals(MEMORY));
    boolean done =
        failure.get() == FailureClass.UNKNOWN
            && !numbered.isEmpty()
            && numbered.stream().allMatch(it -> it.state().equals("COMPLETED"));
    return ListedEnd.of(
        row.line(),
        object,
        memory ? FailureClass.OUT_OF_MEMORY : failure.get(),
        memory ? words + ", a step of it OUT_OF_MEMORY" : words,
        !done,
        only);
  }

  private static List<Row> rows(List<String> lines) {
    var rows = new ArrayList<Row>();
    var head = lines.isEmpty() ? "" : lines.getFirst();
    if (head.strip().startsWith("JobId=")) {
      jobs(lines, rows);
      return rows;
    }
    int column = List.of(head.strip().split("\\s+")).indexOf("ST");
    for (int line = 0; line < lines.size(); line++) {
      var text = lines.get(line).strip();
      var cells = text.split("[\\s|]+");
      var id = ID.matcher(cells[0]);
      var state = column < 0 ? state(text) : column < cells.length ? cells[column] : "";
      var exit = EXIT.matcher(text);
      if (id.matches() && !state.isEmpty()) {
        rows.add(
            new Row(
                line,
                id.group(1),
                id.group(2) == null ? "" : id.group(2),
                state,
                exit.find() ? exit.group() : ""));
      }
    }
    return rows;
  }

  private static String state(String row) {
    return CELL.matcher(row)
        .results()
        .map(MatchResult::group)
        .flatMap(
            cell ->
                STATES.stream()
                    .filter(it -> it.startsWith(cell))
                    .filter(it -> it.equals(cell) || cell.length() >= SHORTEST_CUT))
        .findFirst()
        .orElse("");
  }

  /// `JobId=4711 JobName=train`, and in the lines after it
  /// `JobState=FAILED Reason=NonZeroExitCode …`, `… ExitCode=1:0`.
  private static void jobs(List<String> lines, List<Row> rows) {
    var fields = new LinkedHashMap<String, String>();
    int stands = 0;
    for (int line = 0; line < lines.size(); line++) {
      var field = FIELD.matcher(lines.get(line));
      while (field.find()) {
        if (field.group(1).equals("JobId")) {
          job(stands, fields, rows);
          fields.clear();
        }
        stands = field.group(1).equals("JobState") ? line : stands;
        fields.putIfAbsent(field.group(1), field.group(2));
      }
    }
    job(stands, fields, rows);
  }

  private static void job(int line, Map<String, String> fields, List<Row> rows) {
    var id = fields.get("JobId");
    var state = fields.get("JobState");
    if (id != null && state != null) {
      rows.add(new Row(line, id, "", state, fields.getOrDefault("ExitCode", "")));
    }
  }

  /// Why a job ended, from its state. Empty if the job runs, waits or is done. `squeue` prints
  /// short states.
  private static Optional<FailureClass> failure(String state, String exit) {
    return switch (state) {
      case "NODE_FAIL", "NF", "BOOT_FAIL", "BF" -> Optional.of(FailureClass.NODE_LOST);
      case "OUT_OF_MEMORY", "OOM" -> MEMORY;
      case "TIMEOUT", "TO", "DEADLINE", "DL" -> Optional.of(FailureClass.TIME_LIMIT);
      case "CANCELLED", "CA", "PREEMPTED", "PR" -> Optional.of(FailureClass.STOPPED);
      case "FAILED", "F" ->
          Optional.of(
              switch (exit) {
                case "0:9", "137:0" -> FailureClass.KILLED;
                case "0:11", "139:0" -> FailureClass.SEGFAULT;
                default -> FailureClass.UNKNOWN;
              });
      default -> Optional.empty();
    };
  }
}
