package io.ringside.shipper.source.export;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.platform.config.InvalidConfig;
import io.ringside.platform.config.Yaml;
import io.ringside.shipper.source.pod.PodEnd;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads what kubectl prints for people, in any order in which it was saved into one file: the
/// table of `kubectl get pods`, `kubectl describe pod`, `kubectl get pods -o yaml`. Table rows are
/// kept as they are. Not thread-safe.
final class StateText implements Export.Source {
  private static final int LONGEST_LINE = 4_096;

  /// Longest YAML of one pod, in characters: enough for a hundred containers. The time to parse
  /// YAML grows with the square of its length.
  private static final int LONGEST_POD = 256 * 1024;

  private static final Pattern COMMAND =
      Pattern.compile(
          "\\A(?:[$+#]|[\\w.@:~/\\[\\] -]{1,80}[$#])? ?[^\\n]{0,200}?\\b(?:kubectl|oc) [^\\n]*\\n(?:\\.\\.\\.)?\\s*");

  /// A further command within the text, with the pod that it names.
  private static final Pattern ASKED =
      Pattern.compile(
          "(?:[$+#>%]|[\\w.@:~/\\[\\] -]{1,80}[$#]) ?(?:kubectl|oc) (?:get|(describe)) .*?([a-z0-9][a-z0-9.-]{0,252})?\\s*");

  private static final Pattern TABLE =
      Pattern.compile("(NAMESPACE +)?NAME +READY +STATUS +RESTARTS +AGE.*");
  private static final Pattern DESCRIBED =
      Pattern.compile(
          "\\AName: +\\S+\\s*\\n(?:Namespace: [^\\n]*\\n)(?s:.*)^(?:Node|Priority|Service Account): ",
          Pattern.MULTILINE);

  /// A container's states alone, after up to two other lines.
  private static final Pattern STATES =
      Pattern.compile(
          "\\A(?:[^\\n]{0,200}\\n){0,2}?[ \\t]*(?:Last )?State:[ \\t]+(?:Terminated|Running|Waiting)[ \\t]*\\r?\\n"
              + "[ \\t]+(?:Reason|Started):[ \\t]");

  /// Only the beginning of a description, which says how the pod ended.
  private static final Pattern FAILED =
      Pattern.compile("\\AStatus: +Failed[ \\t]*\\r?\\nReason: +\\w+[ \\t]*\\r?\\n");

  private static final Pattern EVENTS =
      Pattern.compile("\\AEvents:[ \\t]*\\r?\\n[ \\t]+Type +Reason +Age +From +Message");
  private static final Pattern YAML =
      Pattern.compile(
          "\\A(?:---\\s*\\n)?apiVersion: v1\\r?\\n(?:kind: Pod(?:List)?\\r?\\n|items:\\r?\\n- apiVersion: v1\\r?\\n  kind: Pod\\r?\\n)");

  /// The first line of such a part.
  private static final Pattern PART =
      Pattern.compile("\\s*(?:Last )?State:\\s+(?:Terminated|Running|Waiting)\\s*|Events:\\s*");

  private static final Pattern READY = Pattern.compile("\\d{1,3}/\\d{1,3}");

  /// The kubelet's reasons for an eviction (pkg/kubelet/eviction/helpers.go):
  /// `The node was low on resource: memory.`, `The node had condition: [DiskPressure].`
  private static final Pattern EVICTION =
      Pattern.compile("\\bThe node (?:was low on resource|had condition): .*");

  private static final Pattern GAP = Pattern.compile(" {2,}");
  private static final Pattern POD = Pattern.compile("[a-z0-9][a-z0-9.-]{0,252}");

  /// Head row added to table rows that were pasted without it.
  private static final String POD_HEAD = "NAME   READY   STATUS   RESTARTS   AGE";

  private final BufferedReader in;
  private final Deque<Entry> ready = new ArrayDeque<>();
  private final StringBuilder yaml = new StringBuilder();
  private @Nullable DescribedPod described;
  private boolean table;

  /// Whether the head row of the current rows of pods has already been added.
  private boolean headed;

  private String asked = "";
  private boolean ended;

  StateText(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, UTF_8), 64 * 1024);
  }

  /// Whether a text begins like one of these, with or without the command that printed it.
  static boolean recognises(String text) {
    var bare = COMMAND.matcher(text).replaceFirst("");
    return TABLE.matcher(bare).lookingAt()
        || YAML.matcher(bare).find()
        || bare.startsWith("Name:") && DESCRIBED.matcher(bare).find()
        || FAILED.matcher(bare).find()
        || isTable(bare)
        || isPart(bare);
  }

  /// Whether the text, up to the next command, is a table of pods without its head row.
  private static boolean isTable(String text) {
    boolean any = false;
    for (var line : (Iterable<String>) text.lines()::iterator) {
      if (ASKED.matcher(line).matches()) {
        break;
      }
      boolean row = isRow(GAP.split(line.strip()));
      if (!row && !line.isBlank() && !line.strip().equals("...")) {
        return any && !text.endsWith("\n") && text.endsWith(line); // the last line is cut off
      }
      any |= row;
    }
    return any;
  }

  /// Whether this is a row of a table of pods: `llama-2   0/1   Evicted   0   3h`, with or without
  /// a namespace before it, or one with custom columns:
  /// `llama-2   ml   Evicted   gpu-1   The node was low on resource: memory.`
  private static boolean isRow(String[] cells) {
    return ready(cells) > 0
        || cells.length > 2
            && POD.matcher(cells[0]).matches()
            && List.of(cells).contains("Evicted")
            && !List.of(cells).contains("Warning") // otherwise it is an event
            && EVICTION.matcher(cells[cells.length - 1]).find();
  }

  /// Index of the column after the pod's name, -1 if there is none.
  private static int ready(String[] cells) {
    for (int at = 1; at <= 2 && at + 3 < cells.length; at++) {
      if (READY.matcher(cells[at]).matches() && POD.matcher(cells[at - 1]).matches()) {
        return at;
      }
    }
    return -1;
  }

  private static boolean isPart(String text) {
    return EVENTS.matcher(text).lookingAt()
        || text.contains("Exit Code:") && STATES.matcher(text).lookingAt();
  }

  @Override
  public @Nullable Entry next() throws IOException {
    while (ready.isEmpty() && !ended) {
      var line = in.readLine();
      if (line == null) {
        ended = true;
        close("");
      } else {
        line(line.substring(0, Math.min(line.length(), LONGEST_LINE)));
      }
    }
    return ready.poll();
  }

  private void line(String line) {
    boolean item = line.startsWith("- ") || line.equals("apiVersion: v1") || line.equals("---");
    if (item || line.startsWith("Name: ") || line.startsWith("kind: List")) {
      close(line);
    }
    var command = ASKED.matcher(line);
    if (command.matches()) {
      close(line);
      asked = command.group(1) == null ? "" : Objects.requireNonNullElse(command.group(2), "");
    } else if (TABLE.matcher(line).matches()) {
      close("");
      table = true;
      headed = true;
      add(line);
    } else if (!yaml.isEmpty()) {
      if (yaml.length() < LONGEST_POD) {
        yaml.append(line.startsWith("- ") ? "  " + line.substring(2) : line).append('\n');
      }
    } else if (described == null && line.startsWith("Status: ")) {
      described = DescribedPod.named(asked.isEmpty() ? "unnamed" : asked);
      described.line(line);
    } else if (described == null && !table && PART.matcher(line).matches()) {
      described = DescribedPod.part();
      described.line(line);
    } else if (described != null) {
      described.line(line).ifPresent(this::add);
    } else {
      bare(line, GAP.split(line.strip()));
    }
  }

  /// Finishes the current object or description.
  ///
  /// @param line begins the next part; empty if a table or the end follows
  private void close(String line) {
    if (!yaml.isEmpty()) {
      try {
        PodEnd.of(Yaml.parse(yaml.toString(), "pod")).forEach(this::end);
      } catch (InvalidConfig e) {
        // not a complete object: ignored
      }
      yaml.setLength(0);
    }
    if (described != null) {
      var ends = PodEnd.of(described.pod());
      ends.forEach(this::end);
      if (ends.isEmpty()) {
        PodEnd.standing(described.pod()).ifPresent(this::end);
      }
      described = null;
    }
    table &= line.isEmpty();
    if (line.startsWith("Name: ")) {
      described = DescribedPod.whole();
    } else if (line.startsWith("- ") || line.startsWith("apiVersion: ")) {
      yaml.append('\n');
    }
  }

  /// Takes a line outside a description: a table row or an event.
  private void bare(String line, String[] cells) {
    boolean row = isRow(cells);
    if (row && ready(cells) > 0) {
      if (!headed) {
        add(POD_HEAD);
      }
      headed = true;
      add(line);
      return;
    }
    headed = false;
    if (row) {
      row(cells);
    } else if (table) {
      table = !line.isBlank();
    } else if (line.contains("Warning ")) {
      add(line);
    }
  }

  private void row(String[] cells) {
    var why = EVICTION.matcher(cells[cells.length - 1]);
    end(PodEnd.of(cells[0], why.find() ? "Evicted: " + why.group() : "Evicted"));
  }

  private void end(PodEnd end) {
    ready.add(new Entry(end.line(), end.nanos(), Entry.Labels.NONE));
  }

  private void add(String line) {
    ready.add(new Entry(line, NO_TIME, Entry.Labels.NONE));
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
