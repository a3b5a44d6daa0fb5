package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.export.Export;
import io.ringside.standalone.input.InputFile.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Splits logs that a collector wrote for several namespaces together, since jobs and pods of two
/// teams may have the same names. A log of one namespace or of none stays as it is.
///
/// @param leftOut receives name and reason of files that could not be split
record Namespaces(Spool spool, BiConsumer<String, String> leftOut) {
  /// Limit of namespaces split off, since each takes a pass over the file; the others stay
  /// together.
  private static final int MOST = 32;

  /// The same files, with each such log replaced by one per namespace.
  List<InputFile> apart(List<InputFile> files) {
    return files.stream().flatMap(this::apart).toList();
  }

  private Stream<InputFile> apart(InputFile file) {
    if (file.kind() != InputFile.Kind.LOG || !file.namespace().isEmpty()) {
      return Stream.of(file);
    }
    try {
      var namespaces = new LinkedHashSet<String>();
      for (var part : file.parts()) {
        namespaces.addAll(namespaces(part.path()));
      }
      if (namespaces.size() < 2) {
        return Stream.of(file);
      }
      return split(file, namespaces).stream();
    } catch (IOException e) {
      leftOut.accept(
          file.name(), "not taken apart by namespace, read as of one: " + e.getMessage());
      return Stream.of(file);
    }
  }

  private static Set<String> namespaces(Path file) throws IOException {
    var export = export(file);
    if (export == null) {
      return Set.of();
    }
    try (var in = open(file)) {
      return export.namespaces(in, MOST);
    }
  }

  private List<InputFile> split(InputFile file, Set<String> namespaces) throws IOException {
    var job = Identity.ofNode("", file.node()).sourceOf(file.path()).job();
    var files = new ArrayList<InputFile>();
    for (var namespace : namespaces) {
      var parts = taken(file, "[" + namespace + "]", namespace::equals);
      if (!parts.isEmpty()) {
        files.add(new InputFile(parts, file.kind(), file.node(), namespace, job));
      }
    }
    var others = taken(file, "", namespace -> !namespaces.contains(namespace));
    if (!others.isEmpty()) {
      files.add(new InputFile(others, file.kind(), file.node()));
    }
    return files;
  }

  /// The parts of the file with only the entries of the wanted namespaces; parts without any are
  /// left out.
  private List<Part> taken(InputFile file, String label, Predicate<String> wanted)
      throws IOException {
    var parts = new ArrayList<Part>();
    for (var part : file.parts()) {
      var export = export(part.path());
      if (export == null && !wanted.test("")) {
        continue;
      }
      var name = String.valueOf(part.path().getFileName()).replaceFirst("\\.gz$", "");
      var into = spool.folder().resolve(name);
      try (var in = open(part.path());
          var entries = export == null ? in : export.of(wanted, in)) {
        long bytes = spool.take(entries, into, 0);
        if (bytes > 0) {
          parts.add(new Part(into, part.name() + label, bytes));
        }
      }
    }
    return parts;
  }

  /// The format of the file, if its entries are JSON objects and so may contain namespaces; else
  /// null.
  private static @Nullable Export export(Path file) throws IOException {
    var head = Head.of(file);
    var text = Export.withoutMark(new String(head.bytes(), UTF_8)).stripLeading();
    return text.startsWith("{") || text.startsWith("[")
        ? Export.recognise(head.bytes(), head.bytes().length)
        : null;
  }

  private static InputStream open(Path file) throws IOException {
    return Packing.of(file).open(file);
  }
}
