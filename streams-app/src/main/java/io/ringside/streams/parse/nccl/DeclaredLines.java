package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;

/// Variables of NCCL and libfabric that shells export, `env` lists or `mpirun` passes on. They show
/// what the user asked for: NCCL prints its own variables only at INFO, and those of libfabric
/// never.
public final class DeclaredLines {
  private static final List<String> NAMES = List.of("NCCL_", "FI_", "OFI_");
  private static final List<String> EXPORTS =
      List.of("", "export ", "+ export ", "+ export '", "++ export ", "++ export '", "declare -x ");
  private static final List<String> UNSETS = List.of("+ unset ", "++ unset ");
  private static final List<String> LAUNCHERS =
      List.of(
          "mpirun *", "mpiexec *", "+ mpirun *", "+ mpiexec *", "+ /*/mpirun *", "+ /*/mpiexec *");

  private static final int MOST = 64;
  private static final int LONGEST = 8_192;

  private DeclaredLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES = shapes();

  private static List<Shape<TextLine>> shapes() {
    var shapes = new ArrayList<Shape<TextLine>>();
    for (var name : NAMES) {
      for (var export : EXPORTS) {
        shapes.add(
            Shape.of(
                export + name + "*=*", export.isEmpty() ? "env" : "shells", DeclaredLines::set));
      }
      for (var unset : UNSETS) {
        shapes.add(Shape.of(unset + name + "*", "shells, set -x", DeclaredLines::unset));
      }
    }
    for (var launcher : LAUNCHERS) {
      shapes.add(Shape.of(launcher, "Open MPI, MPICH, Intel MPI", DeclaredLines::launched));
    }
    return List.copyOf(shapes);
  }

  /// `FI_PROVIDER=efa`, `+ export NCCL_NET='AWS Libfabric' NCCL_DEBUG=INFO`, with nothing else on
  /// the line.
  private static boolean set(TextLine line) {
    var values = new ArrayList<NcclEvent.EnvironmentSet>();
    for (var word : words(line.rest())) {
      int is = word.indexOf('=');
      boolean keyword = is < 0 && List.of("+", "++", "export", "declare", "-x").contains(word);
      if (is < 0 && !keyword || is >= 0 && !isName(word.substring(0, is))) {
        return false;
      }
      if (is >= 0) {
        note(word.substring(0, is), word.substring(is + 1), values);
      }
    }
    return emit(values, false, line);
  }

  private static boolean unset(TextLine line) {
    var values = new ArrayList<NcclEvent.EnvironmentSet>();
    words(line.rest()).stream().filter(DeclaredLines::ours).forEach(name -> note(name, "", values));
    return emit(values, false, line);
  }

  /// `-x NAME=VALUE` of Open MPI, `-genv NAME VALUE` and `-env NAME VALUE` of the others. They
  /// apply only to this command.
  private static boolean launched(TextLine line) {
    var values = new ArrayList<NcclEvent.EnvironmentSet>();
    var words = words(line.rest());
    for (int at = 0; at + 1 < words.size(); at++) {
      var next = words.get(at + 1);
      int is = next.indexOf('=');
      if (words.get(at).equals("-x") && is > 0) {
        note(next.substring(0, is), next.substring(is + 1), values);
      }
      if (List.of("-genv", "-env").contains(words.get(at)) && at + 2 < words.size()) {
        note(next, words.get(at + 2), values);
      }
    }
    boolean command = words.stream().anyMatch(word -> word.startsWith("-"));
    return command && line.emit(new NcclEvent.Declared(values, true));
  }

  private static boolean emit(
      List<NcclEvent.EnvironmentSet> values, boolean ofCommand, TextLine line) {
    return !values.isEmpty() && line.emit(new NcclEvent.Declared(values, ofCommand));
  }

  private static void note(String name, String value, List<NcclEvent.EnvironmentSet> values) {
    if (ours(name) && values.size() < MOST) {
      values.add(new NcclEvent.EnvironmentSet(name, value, false));
    }
  }

  private static boolean ours(String name) {
    return NAMES.stream().anyMatch(name::startsWith) && isName(name);
  }

  private static boolean isName(String word) {
    return !word.isEmpty()
        && word.chars()
            .allMatch(
                c ->
                    c == '_'
                        || c >= 'A' && c <= 'Z'
                        || c >= 'a' && c <= 'z'
                        || c >= '0' && c <= '9');
  }

  /// The words of a command, split as a shell splits them: quotes keep words together.
  private static List<String> words(String text) {
    var words = new ArrayList<String>();
    var word = new StringBuilder();
    char quote = 0;
    boolean begun = false;
    for (int at = 0; at < Math.min(text.length(), LONGEST); at++) {
      char c = text.charAt(at);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
        if (quote != 0) {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        begun = true;
      } else if (c == ' ' || c == '\t') {
        if (begun) {
          words.add(word.toString());
          word.setLength(0);
        }
        begun = false;
      } else {
        word.append(c);
        begun = true;
      }
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }
}
