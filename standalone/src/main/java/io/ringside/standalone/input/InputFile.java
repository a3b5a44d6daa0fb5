package io.ringside.standalone.input;

import java.nio.file.Path;
import java.util.Objects;

/// A file to read.
///
/// @param path as the user would find it again: relative if the user gave a relative path
/// @param node the machine it was recorded on
public record InputFile(Path path, Kind kind, String node, long bytes) {
  public InputFile {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(node, "node");
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
