package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.LogSource;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Logs that a collector wrote together for several namespaces, taken apart: jobs of two teams may
/// be called alike, and their pods too. What comes of one namespace, or of none, stays as it is.
///
/// @param leftOut hears of files that could not be taken apart, by name and reason
record Namespaces(Spool spool, BiConsumer<String, String> leftOut) {
  /// Each is a pass over the file.
  private static final int MOST = 32;

  /// The same files, and in place of such a log one for each namespace.
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
    var job = source(file).job();
    var files = new ArrayList<InputFile>();
    for (var namespace : namespaces) {
      var parts = new ArrayList<Part>();
      for (var part : file.parts()) {
        taken(part, namespace, parts);
      }
      if (!parts.isEmpty()) {
        files.add(new InputFile(parts, file.kind(), file.node(), namespace, job));
      }
    }
    var others = new ArrayList<Part>();
    for (var part : file.parts()) {
      taken(part, "", others);
    }
    if (!others.isEmpty()) {
      files.add(new InputFile(others, file.kind(), file.node()));
    }
    return files;
  }

  /// Adds what a part holds of a namespace; nothing if it holds nothing of it.
  private void taken(Part part, String namespace, List<Part> parts) throws IOException {
    var export = export(part.path());
    var name = String.valueOf(part.path().getFileName()).replaceFirst("\\.gz$", "");
    var into = spool.folder().resolve(name);
    long bytes;
    try (var in = open(part.path());
        var lines = export == null ? in : export.of(namespace, in)) {
      bytes = export == null && !namespace.isEmpty() ? 0 : spool.take(lines, into, 0);
    }
    if (bytes > 0) {
      var label = namespace.isEmpty() ? part.name() : part.name() + "[" + namespace + "]";
      parts.add(new Part(into, label, bytes));
    }
  }

  /// What the file is, if its entries may name namespaces: objects do.
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

  private static LogSource source(InputFile file) {
    return Identity.ofNode("", file.node()).sourceOf(file.path());
  }
}
