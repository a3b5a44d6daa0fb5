package io.ringside.deploy.image;

import io.ringside.deploy.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// What an image holds, made by the script that its Dockerfile runs.
final class ImageFolder {
  private ImageFolder() {}

  /// Assembles `shipper` or `streams` out of the module's build folder.
  static Path assemble(String program, String module, Path to)
      throws IOException, InterruptedException {
    var build = Repository.path(module).resolve(System.getProperty("ringside.target", "target"));
    if (!Files.isDirectory(build.resolve("lib"))) {
      throw new IOException(build + " has no lib: `mvn verify` makes it, `mvn test` does not");
    }
    var log = Files.createTempFile("assemble", ".log");
    var builder =
        new ProcessBuilder(
                Repository.path("deploy/docker/assemble").toString(),
                program,
                build.toString(),
                to.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var process = builder.start();
    if (!process.waitFor(240, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException("assemble " + program + ": " + Files.readString(log));
    }
    Files.delete(log);
    return to;
  }
}
