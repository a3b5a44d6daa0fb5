package io.ringside.streams.node;

import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.parse.event.FailureEvent.Reported;
import io.ringside.streams.parse.failure.ContainerStates;
import io.ringside.streams.parse.failure.ListedEnd;
import io.ringside.streams.parse.failure.PodName;
import io.ringside.streams.parse.failure.PodRows;
import io.ringside.streams.parse.failure.SlurmRows;
import io.ringside.streams.parse.scan.Chars;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A scheduler's listing of pods or jobs that somebody pasted below a job's log. Collects the lines
/// of one listing and reads them once it is complete. Owned by one stream thread.
final class PastedListing {
  private static final int MOST_LINES = 500;
  private static final int MOST_ENDS = 64;
  private static final int LONGEST_LINE = 16 * 1024;

  /// A command stands in the first bytes of its line, after a prompt.
  private static final int LONGEST_PROMPT = 120;

  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:.{0,100}[$#>%+] ?)?kubectl .*?\\bget .*?\\bpo(?:ds?)?\\b(?:[/ ]([a-z0-9][a-z0-9.-]*))?.*");

  /// A command whose listing may have no header (`-n`).
  private static final Pattern SACCT = Pattern.compile("(?:.{0,100}[$#>%+] ?)?sacct(?: .*)?");

  private static final Pattern OBJECTS =
      Pattern.compile(".* (?:-o ?|--output[ =])(?:json|yaml|go-template).*");

  enum Kind {
    NONE,
    PODS,
    SLURM,
    STATES
  }

  private Kind kind = Kind.NONE;
  private String pod = "";
  private final List<String> lines = new ArrayList<>();
  private final List<Fact> proofs = new ArrayList<>();

  /// Pods and jobs whose end a listing of the file has shown, and `TEAM-` for each pod team of
  /// which a listing has shown a running or completed pod.
  private final Set<String> told = new HashSet<>();

  private int ends;

  boolean isOpen() {
    return kind != Kind.NONE;
  }

  /// Whether a listing may begin with the line.
  static boolean mayBegin(Text text, int from, int end) {
    int at = Chars.skipBlanks(text, from, end);
    char first = at < end ? text.charAt(at) : ' ';
    return switch (first) {
          case 'N' -> text.startsWith("NAME", at);
          case 'J' -> text.startsWith("JobI", at) || text.startsWith("JOBI", at);
          case 'c' -> text.startsWith("containerS", at);
          case 's' -> text.startsWith("state:", at);
          case 'l' -> text.startsWith("lastState:", at);
          case '"' ->
              text.startsWith("\"containerS", at)
                  || text.startsWith("\"state\"", at)
                  || text.startsWith("\"lastState\"", at);
          case '[', '{' -> Chars.find(text, at, end, ContainerStates.CODE) >= 0;
          default -> false;
        }
        || Chars.find(text, at, Math.min(end, at + LONGEST_PROMPT), "kubectl ") >= 0
        || Chars.find(text, at, Math.min(end, at + LONGEST_PROMPT), "sacct") >= 0;
  }

  /// Takes a line that may belong to a listing.
  ///
  /// @param proof the line as one of the log
  /// @return what the listing before it states, if that listing ended there
  List<Fact> line(Text text, int from, int end, Fact proof) {
    var line = text.head(from, end, LONGEST_LINE).stripTrailing();
    boolean goesOn =
        lines.size() < MOST_LINES
            && switch (kind) {
              case NONE -> false;
              case PODS -> PodRows.isRow(line) || lines.isEmpty() && PodRows.isHead(line);
              case SLURM -> SlurmRows.isRow(line) || lines.isEmpty() && SlurmRows.isHead(line);
              case STATES -> !line.isBlank() && ContainerStates.isRow(line);
            };
    var before = goesOn ? List.<Fact>of() : end();
    if (!goesOn) {
      begin(line);
    }
    if (isOpen() && (goesOn || !isCommand(line))) {
      lines.add(line);
      proofs.add(proof);
    }
    return before;
  }

  private void begin(String line) {
    var command = COMMAND.matcher(line);
    if (command.matches()) {
      pod = Optional.ofNullable(command.group(1)).orElse("");
      kind = OBJECTS.matcher(line).matches() ? Kind.STATES : Kind.PODS;
    } else if (SACCT.matcher(line).matches()) {
      kind = Kind.SLURM;
    } else if (PodRows.isHead(line)) {
      kind = Kind.PODS;
    } else if (SlurmRows.isHead(line)) {
      kind = Kind.SLURM;
    } else if (ContainerStates.isHead(line)) {
      kind = Kind.STATES;
    }
  }

  private static boolean isCommand(String line) {
    return COMMAND.matcher(line).matches() || SACCT.matcher(line).matches();
  }

  /// What the listing that ends here states.
  List<Fact> end() {
    var listed =
        switch (kind) {
          case NONE -> List.<ListedEnd>of();
          case PODS -> PodRows.read(lines);
          case SLURM -> SlurmRows.read(lines);
          case STATES -> ContainerStates.read(lines, pod);
        };
    var facts =
        listed.stream()
            .filter(it -> tells(it.event()))
            .map(it -> proofs.get(it.line()).saying(it.event()))
            .toList();
    kind = Kind.NONE;
    pod = "";
    lines.clear();
    proofs.clear();
    return facts;
  }

  /// Whether the row adds something. Listings that are repeated add little: that something ended,
  /// that an end is past, and which other pods exist.
  private boolean tells(Reported event) {
    var object = event.object();
    if (!ListedEnd.stands(event)) {
      told.add(object);
      return ++ends <= MOST_ENDS;
    }
    return told.remove(object) || told.size() < MOST_ENDS && told.add(PodName.team(object) + "-");
  }
}
