package io.ringside.standalone.pipeline;

import io.ringside.platform.config.InvalidConfig;
import io.ringside.streams.expect.ExpectationsFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The flag of all commands that judge.
public final class ExpectationsOption {
  @Option(
      names = "--expectations",
      paramLabel = "FILE",
      defaultValue = "${env:RINGSIDE_EXPECTATIONS}",
      description =
          "YAML file over the built-in expectations: thresholds, instance types, harmless lines.")
  private @Nullable Path file;

  /// The file, looked at before anything is started; null for the built-in expectations alone.
  ///
  /// @throws InvalidConfig with a message for people if it cannot be used
  public @Nullable Path checked() {
    if (file != null) {
      ExpectationsFile.once(file);
    }
    return file;
  }
}
