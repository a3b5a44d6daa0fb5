package io.ringside.standalone.terminal;

import picocli.CommandLine.Command;

/// Prints the version of Ringside.
@Command(name = "version", description = "Prints the version.")
public final class VersionCommand implements Runnable {
  private final Console console;

  public VersionCommand(Console console) {
    this.console = console;
  }

  @Override
  public void run() {
    console.out().println("ringside " + Version.OF_BUILD);
    console.out().flush();
  }
}
