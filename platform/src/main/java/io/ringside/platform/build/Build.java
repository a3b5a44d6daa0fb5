package io.ringside.platform.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/// The build of Ringside that is running. Maven writes it into a file beside the classes.
///
/// @param version of the root `pom.xml`
/// @param revision the commit that it was built from, `unknown` if `-Dringside.revision` was not
///     set
public record Build(String version, String revision) {
  private static final String FILE = "build.properties";

  public Build {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(revision, "revision");
  }

  /// The build of this process.
  public static Build current() {
    var properties = new Properties();
    try (var in = Objects.requireNonNull(Build.class.getResourceAsStream(FILE), FILE)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Build(properties.getProperty("version"), properties.getProperty("revision"));
  }
}
