package io.ringside.standalone.input;

import io.ringside.standalone.input.InputFile.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Joins the files of a rotated log: `x.log.2.gz`, `x.log.1` and `x.log` are one log, oldest part
/// first, as are `0.log.20260101-120000.gz` and `0.log` of a kubelet. A number alone may also be a
/// rank, so it marks a part only if the unnumbered file exists.
///
/// @param leftOut receives name and reason of parts that are not read
record Rotation(BiConsumer<String, String> leftOut) {
  /// The suffixes of logrotate, the kubelet and Python's handlers: a number, a date, a time, `old`.
  private static final Pattern PART =
      Pattern.compile(
          "(?<base>.+?)(?:\\.(?<number>\\d{1,3})|[.-](?<date>\\d{4}-?\\d{2}-?\\d{2}(?:[-_T.]?[\\d:_-]{2,12})?)"
              + "|\\.(?<old>old))(?:\\.(?:gz|zst|bz2))?");

  /// The same files, with the parts of each log joined.
  List<InputFile> join(List<InputFile> files) {
    Map<List<Object>, List<InputFile>> logs = new LinkedHashMap<>();
    var names = files.stream().map(Rotation::place).collect(Collectors.toSet());
    for (var file : files) {
      boolean log = file.kind() == InputFile.Kind.LOG;
      var key = log ? List.<Object>of(file.node(), base(file, names)) : List.<Object>of(file);
      logs.computeIfAbsent(key, _ -> new ArrayList<>()).add(file);
    }
    return logs.values().stream().map(this::joined).toList();
  }

  private static String place(InputFile file) {
    return file.node() + "=" + Path.of(file.name());
  }

  /// The path of the log that the file is a part of, or its own.
  private static Path base(InputFile file, Set<String> names) {
    var own = Path.of(file.name());
    var part = part(own);
    if (part.matches()) {
      var base = own.resolveSibling(part.group("base"));
      if (part.group("date") != null || names.contains(file.node() + "=" + base)) {
        return base;
      }
    }
    return own;
  }

  private static Matcher part(Path path) {
    return PART.matcher(String.valueOf(path.getFileName()));
  }

  private InputFile joined(List<InputFile> files) {
    if (files.size() == 1) {
      return files.getFirst();
    }
    var parts = new ArrayList<Part>();
    files.stream()
        .sorted(Comparator.comparing(Rotation::age))
        .forEach(file -> parts.addAll(file.parts()));
    return new InputFile(withoutCopies(parts), InputFile.Kind.LOG, files.getFirst().node());
  }

  /// Sort key, oldest first: by falling number or rising date, the live file last.
  private static String age(InputFile file) {
    var part = part(Path.of(file.name()));
    if (!part.matches()) {
      return "3";
    }
    if (part.group("number") != null) {
      return "1%03d".formatted(999 - Integer.parseInt(part.group("number")));
    }
    return part.group("old") != null ? "2" : "0" + part.group("date").replaceAll("\\D", "");
  }

  /// Leaves out parts that exist twice: packed and unpacked, or copied and not yet emptied.
  private List<Part> withoutCopies(List<Part> parts) {
    var kept = new ArrayList<Part>();
    for (var part : parts) {
      if (!kept.isEmpty() && begins(kept.getLast(), part)) {
        leftOut.accept(kept.removeLast().name(), "a copy of what is in " + part.name());
      }
      kept.add(part);
    }
    return kept;
  }

  /// Whether the second begins with all bytes of the first.
  private static boolean begins(Part copy, Part whole) {
    try (var a = Packing.of(copy.path()).open(copy.path());
        var b = Packing.of(whole.path()).open(whole.path())) {
      var left = new byte[1 << 16];
      var right = new byte[1 << 16];
      while (true) {
        int n = a.readNBytes(left, 0, left.length);
        if (b.readNBytes(right, 0, n) < n
            || java.util.Arrays.mismatch(left, 0, n, right, 0, n) >= 0) {
          return false;
        }
        if (n < left.length) {
          return true;
        }
      }
    } catch (IOException e) {
      return false;
    }
  }
}
