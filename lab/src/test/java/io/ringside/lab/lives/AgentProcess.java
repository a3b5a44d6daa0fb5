package io.ringside.lab.lives;

import io.ringside.shipper.ShipperMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The agent of one machine in a process of its own.
final class AgentProcess implements AutoCloseable {
  private final ProcessBuilder command;
  private Process process;

  /// @param folder for its checkpoints and its log
  /// @param settings beside those of every agent
  AgentProcess(String node, String broker, String glob, Path folder, List<String> settings)
      throws IOException {
    this(node, broker, glob, folder, settings, List.of(ShipperMain.class.getName()));
  }

  /// @param program its class, behind options of the JVM
  AgentProcess(
      String node,
      String broker,
      String glob,
      Path folder,
      List<String> settings,
      List<String> program)
      throws IOException {
    var words =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path")));
    words.addAll(program);
    words.addAll(
        List.of(
            "--node=" + node,
            "--bootstrap=" + broker,
            "--logs=" + glob,
            "--checkpoints=" + folder.resolve("checkpoints.json")));
    settings.forEach(setting -> words.add("--set=" + setting));
    command =
        new ProcessBuilder(words)
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
