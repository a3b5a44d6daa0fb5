package io.ringside.standalone.input;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// A file to read.
///
/// @param parts the files into which rotation split it, oldest first; one if it was never rotated
/// @param node the machine it was recorded on
/// @param namespace namespace of the job, empty to take it from the path
/// @param job job found from the content, empty to take it from the file's name
public record InputFile(List<Part> parts, Kind kind, String node, String namespace, String job) {
  public InputFile {
    parts = List.copyOf(parts);
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(job, "job");
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a file has one part at least");
    }
  }

  /// A file whose job is known from its name.
  public InputFile(List<Part> parts, Kind kind, String node) {
    this(parts, kind, node, "", "");
  }

  /// A file that was never rotated and whose job is known from its name.
  public InputFile(Path path, Kind kind, String node, long bytes) {
    this(List.of(new Part(path, path.toString(), bytes)), kind, node);
  }

  InputFile ofNode(String name) {
    return new InputFile(parts, kind, name, namespace, job);
  }

  InputFile ofJob(String space, String name) {
    return new InputFile(parts, kind, node, space, name);
  }

  /// One file on disk.
  ///
  /// @param path location of its bytes
  /// @param name for the user: relative if the user gave a relative path, preceded by the archive's
  ///     name for a file in an archive
  /// @param bytes size on disk
  public record Part(Path path, String name, long bytes) {
    public Part {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(name, "name");
    }
  }

  /// Path of the newest part.
  public Path path() {
    return parts.getLast().path();
  }

  /// The name of the newest part, which stands for the whole file.
  public String name() {
    return parts.getLast().name();
  }

  /// Size of all parts on disk, in bytes.
  public long bytes() {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  /// Kind of content, in the order in which files are read.
  public enum Kind {
    TOPOLOGY("topology"),
    GPU_SAMPLES("nvidia-smi"),
    WITNESS("witness"),
    LOG("log");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /// The spelling in the JSON report.
    public String label() {
      return label;
    }
  }
}
