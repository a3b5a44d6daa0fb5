package io.ringside.standalone.input;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/// A file to read.
///
/// @param parts what rotation made of it, oldest first; one where it was never rotated
/// @param node the machine it was recorded on
/// @param namespace of that job, empty where its path tells
/// @param job whose log it is by what it says, empty where its name tells
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

  /// A file whose name tells whose it is.
  public InputFile(List<Part> parts, Kind kind, String node) {
    this(parts, kind, node, "", "");
  }

  /// The same that was never rotated.
  public InputFile(Path path, Kind kind, String node, long bytes) {
    this(List.of(new Part(path, path.toString(), bytes)), kind, node);
  }

  InputFile ofNode(String name) {
    return new InputFile(parts, kind, name, namespace, job);
  }

  InputFile ofJob(String space, String name) {
    return new InputFile(parts, kind, node, space, name);
  }

  /// One file of the disk.
  ///
  /// @param path where its bytes are
  /// @param name as the user would find it again: relative if the user gave a relative path, behind
  ///     the name of the archive that holds it
  /// @param bytes as they lie on the disk
  public record Part(Path path, String name, long bytes) {
    public Part {
      Objects.requireNonNull(path, "path");
      Objects.requireNonNull(name, "name");
    }
  }

  /// Where the newest part is.
  public Path path() {
    return parts.getLast().path();
  }

  /// By which it goes: that of its newest part.
  public String name() {
    return parts.getLast().name();
  }

  /// Bytes of all parts as they lie on the disk.
  public long bytes() {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  /// What is in it, in the order in which it is read.
  public enum Kind {
    TOPOLOGY("topology"),
    GPU_SAMPLES("nvidia-smi"),
    WITNESS("witness"),
    LOG("log");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /// As the JSON document spells it.
    public String label() {
      return label;
    }
  }
}
