package io.ringside.standalone.terminal;

import io.ringside.platform.build.Build;
import picocli.CommandLine.IVersionProvider;

/// The version of Ringside, from the build.
public final class Version implements IVersionProvider {
  /// For example `0.1.0`.
  public static final String OF_BUILD = Build.current().version();

  @Override
  public String[] getVersion() {
    return new String[] {"ringside " + OF_BUILD};
  }
}
