package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.export.Export;
import io.ringside.shipper.source.export.Export.Origin;
import io.ringside.standalone.input.InputFile.Part;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Splits logs that a collector wrote for several pods together. By namespace, since jobs and pods
/// of two teams may have the same names; and by pod where the entries name the node of each, so
/// that it is known which pods share a machine. A log of one namespace, or of none, without nodes
/// stays as it is.
///
/// @param leftOut receives name and reason of files that could not be split
record CollectedLogs(Spool spool, BiConsumer<String, String> leftOut) {
  /// Most logs that one file is split into, as each is open at the same time; the others stay
  /// together.
  private static final int MOST = 500;

  /// In chars, as long as a pod's name may be; file systems take a little more.
  private static final int LONGEST = 240;

  private static final Origin OTHERS = new Origin("", "", "");

  /// The same files, with each such log replaced by one per namespace or pod.
  List<InputFile> apart(List<InputFile> files) {
    return files.stream().flatMap(this::apart).toList();
  }

  private Stream<InputFile> apart(InputFile file) {
    if (file.kind() != InputFile.Kind.LOG || !file.namespace().isEmpty()) {
      return Stream.of(file);
    }
    try {
      var origins = new LinkedHashSet<Origin>();
      for (var part : file.parts()) {
        origins.addAll(origins(part.path()));
      }
      boolean byPod = file.node().equals(InputRoot.LOCAL) && namePods(origins);
      UnaryOperator<Origin> group =
          byPod ? it -> it : it -> new Origin(it.namespace(), OTHERS.node(), OTHERS.pod());
      var groups =
          origins.stream()
              .map(group)
              .limit(MOST)
              .collect(Collectors.toCollection(LinkedHashSet::new));
      return groups.stream().filter(it -> !it.equals(OTHERS)).count() < 2
          ? Stream.of(file)
          : split(file, it -> groups.contains(group.apply(it)) ? group.apply(it) : OTHERS).stream();
    } catch (IOException e) {
      leftOut.accept(
          file.name(), "not taken apart by namespace, read as of one: " + e.getMessage());
      return Stream.of(file);
    }
  }

  /// Whether pods are named, each with its node, some of which share one. A label that differs for
  /// each pod may be the pod's own host name.
  private static boolean namePods(Set<Origin> origins) {
    var pods = origins.stream().filter(it -> !it.pod().isEmpty()).toList();
    return origins.size() < MOST
        && pods.stream().noneMatch(it -> it.node().isEmpty())
        && pods.stream().map(Origin::node).distinct().count() < pods.size();
  }

  private static Set<Origin> origins(Path file) throws IOException {
    var export = export(file);
    if (export == null) {
      return Set.of();
    }
    try (var in = open(file)) {
      return export.origins(in, MOST);
    }
  }

  private List<InputFile> split(InputFile file, UnaryOperator<Origin> group) throws IOException {
    var job = Identity.ofNode("", file.node()).sourceOf(file.path()).job();
    var parts = new LinkedHashMap<Origin, List<Part>>();
    for (var part : file.parts()) {
      distributed(part, group)
          .forEach((of, its) -> parts.computeIfAbsent(of, _ -> new ArrayList<>()).add(its));
    }
    var files = new ArrayList<InputFile>();
    parts.forEach(
        (of, its) ->
            files.add(
                of.equals(OTHERS)
                    ? new InputFile(its, file.kind(), file.node())
                    : new InputFile(
                        its,
                        file.kind(),
                        of.node().isEmpty() ? file.node() : of.node(),
                        of.namespace(),
                        job)));
    return files;
  }

  /// The part's entries, those of each group in a file of its own.
  private Map<Origin, Part> distributed(Part part, UnaryOperator<Origin> group) throws IOException {
    var name = String.valueOf(part.path().getFileName()).replaceFirst("\\.gz$", "");
    var export = export(part.path());
    var paths = new LinkedHashMap<Origin, Path>();
    var streams = new LinkedHashMap<Origin, OutputStream>();
    try (var in = open(part.path())) {
      if (export == null) {
        var into = spool.folder().resolve(name);
        spool.take(in, into, 0);
        paths.put(OTHERS, into);
      } else {
        export.distribute(
            in,
            origin -> {
              var of = group.apply(origin);
              var known = streams.get(of);
              if (known == null) {
                var into = spool.folder().resolve(of.pod().isEmpty() ? name : fileOf(of.pod()));
                known = spool.file(into);
                paths.put(of, into);
                streams.put(of, known);
              }
              return known;
            });
      }
    } finally {
      for (var stream : streams.values()) {
        stream.close();
      }
    }
    var parts = new LinkedHashMap<Origin, Part>();
    for (var path : paths.entrySet()) {
      var of = path.getKey();
      var label =
          of.equals(OTHERS) ? "" : "[" + (of.pod().isEmpty() ? of.namespace() : of.pod()) + "]";
      long bytes = Files.size(path.getValue());
      parts.put(of, new Part(path.getValue(), part.name() + label, bytes));
    }
    return parts;
  }

  /// A file's name for a pod of this name. A log may name a pod as it likes.
  private static String fileOf(String pod) {
    var harmless = pod.replaceAll("[^A-Za-z0-9.-]", "_");
    return harmless.substring(0, Math.min(harmless.length(), LONGEST)) + ".log";
  }

  /// The format of the file, if its entries are JSON objects and so may contain labels; else null.
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
