package io.ringside.lab.lives;

import io.ringside.shipper.ShipperMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The agent of one machine in a process of its own.
final class AgentProcess implements AutoCloseable {
  private final ProcessBuilder command;
  private Process process;

  AgentProcess(String broker, String glob, Path folder) throws IOException {
    command =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-Xmx128m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xshare:auto",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ShipperMain.class.getName(),
                    "--node=n1",
                    "--bootstrap=" + broker,
                    "--logs=" + glob,
                    "--checkpoints=" + folder.resolve("checkpoints.json"),
                    "--set=gpu.enabled=false",
                    "--set=http.enabled=false"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("agent.log").toFile()));
    process = command.start();
  }

  /// SIGKILL, and another one in its place.
  void killAndStart() throws IOException {
    close();
    process = command.start();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
