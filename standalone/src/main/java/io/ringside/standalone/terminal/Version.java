package io.ringside.standalone.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine.IVersionProvider;

/// Which Ringside this is: the version that the build's root `pom.xml` states, and nothing else does.
public final class Version implements IVersionProvider {
  /// For example `0.1.0`.
  public static final String OF_BUILD = read();

  private static String read() {
    try (var in = Version.class.getResourceAsStream("/ringside-version")) {
      if (in == null) {
        throw new IllegalStateException("built without its version");
      }
      return new String(in.readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {"ringside " + OF_BUILD};
  }
}
