package io.ringside.standalone.terminal;

import io.ringside.schemas.build.Build;
import picocli.CommandLine.IVersionProvider;

/// What `--version` prints.
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"Ringside " + Build.current().version()};
  }
}
