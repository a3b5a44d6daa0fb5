package io.ringside.deploy.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A certificate authority of the test's own and certificates that it signed, made by the JDK's
/// keytool.
final class Certificates {
  static final String PASSWORD = "changeit-" + ProcessHandle.current().pid();

  private final Path folder;

  private Certificates(Path folder) {
    this.folder = folder;
  }

  static Certificates in(Path folder) throws IOException, InterruptedException {
    var certificates = new Certificates(folder);
    certificates.key("ca", "CN=Ringside test CA", "-ext", "bc:c");
    certificates.keytool(
        "-exportcert", "-rfc", "-alias", "ca", "-keystore", store("ca"), "-file", "ca.crt");
    return certificates;
  }

  /// A PKCS12 store with a key for this name, valid for the loopback address as well.
  Path issue(String name) throws IOException, InterruptedException {
    key(name, "CN=" + name);
    keytool("-certreq", "-alias", name, "-keystore", store(name), "-file", name + ".csr");
    keytool(
        "-gencert",
        "-rfc",
        "-alias",
        "ca",
        "-keystore",
        store("ca"),
        "-infile",
        name + ".csr",
        "-outfile",
        name + ".crt",
        "-ext",
        "san=ip:127.0.0.1,dns:localhost");
    keytool(
        "-importcert", "-noprompt", "-alias", "ca", "-file", "ca.crt", "-keystore", store(name));
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        name,
        "-file",
        name + ".crt",
        "-keystore",
        store(name));
    return folder.resolve(store(name));
  }

  /// The authority's certificate, PEM.
  Path authority() {
    return folder.resolve("ca.crt");
  }

  private void key(String name, String subject, String... more)
      throws IOException, InterruptedException {
    var arguments =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                subject,
                "-keyalg",
                "EC",
                "-validity",
                "2",
                "-keystore",
                store(name)));
    arguments.addAll(List.of(more));
    keytool(arguments.toArray(String[]::new));
  }

  private static String store(String name) {
    return name + ".p12";
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.add("-J-XX:TieredStopAtLevel=1");
    command.addAll(List.of(arguments));
    if (List.of(arguments).contains("-keystore")) {
      command.addAll(List.of("-storepass", PASSWORD, "-storetype", "PKCS12"));
    }
    var log = Files.createTempFile(folder, "keytool", ".log");
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(command + ": " + Files.readString(log));
    }
  }
}
