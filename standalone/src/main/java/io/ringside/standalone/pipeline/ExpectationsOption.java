package io.ringside.standalone.pipeline;

import io.ringside.platform.config.InvalidConfig;
import io.ringside.streams.expect.ExpectationsFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option shared by all commands that judge.
public final class ExpectationsOption {
  @Option(
      names = "--expectations",
      paramLabel = "FILE",
      defaultValue = "${env:RINGSIDE_EXPECTATIONS}",
      description =
          "YAML file over the built-in expectations: thresholds, instance types, harmless lines.")
  private @Nullable Path file;

  /// The file, checked before anything is started; null for only the built-in expectations.
  ///
  /// @throws InvalidConfig with a message for the user if it cannot be used
  public @Nullable Path checked() {
    if (file != null) {
      ExpectationsFile.once(file);
    }
    return file;
  }
}
