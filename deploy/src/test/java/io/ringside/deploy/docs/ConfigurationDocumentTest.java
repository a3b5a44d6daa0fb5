package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.shipper.ShipperMain;
import io.ringside.streams.StreamsAppMain;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ConfigurationDocumentTest {
  private static final Pattern OWN_VARIABLE = Pattern.compile("\\$\\{env:(\\w+)}");

  /// With `-Dringside.write=true` the document is written instead of compared.
  @Test
  void saysWhatTheCodeSays() throws IOException {
    var file = Repository.path("docs/configuration.md");
    if (Boolean.getBoolean("ringside.write")) {
      Files.writeString(file, document());
    }

    assertThat(Repository.text(file)).isEqualTo(document());
  }

  private static String document() throws IOException {
    return """
        # Configuration

        Written from the code by the tests with `-Dringside.write=true`; do not edit. Both programs start from their defaults; a
        YAML file that contains only what differs (`--config`) overrides them, and single flags override the file. An unknown key,
        a key given twice and an invalid value are refused at start with the key's path. `${NAME}` and `${NAME:default}` in
        a file stand for environment variables. The service reads a changed file at its next start, except for the
        expectations (how-to/override-expectations.md). The agent applies changed globs, patterns, masks and limits
        within 5 s, logs which other keys need a restart, and keeps the previous configuration if the file is wrong.

        Settings of Kafka's clients are under `kafka` and are passed on unchanged: addresses, TLS, SASL, tuning.

        ## ringside-shipper, the agent

        `ringside-shipper --check` prints the configuration in force, with secrets hidden, and ends.

        """
        + options(ShipperMain.command())
        + "\n```yaml\n"
        + resource(ShipperMain.class, "config/shipper.yaml")
        + "```\n\n## ringside-streams, the service\n\n"
        + options(new StreamsAppMain())
        + "\n```yaml\n"
        + resource(StreamsAppMain.class, "/streams-app.yaml")
        + """
        ```

        ## Both

        | variable | meaning |
        |---|---|
        | `LOG_FORMAT` | `text` (default) or `json`, on stderr |
        | `LOG_LEVEL` | `INFO` (default), `WARN`, `DEBUG` |
        | `RINGSIDE_JAVA_OPTS` | in the images: more options for the JVM, for example `-Xmx512m` |
        """;
  }

  private static String options(Object program) {
    var table = new StringBuilder("| flag | meaning | environment |\n|---|---|---|\n");
    for (var option : new CommandLine(program).getCommandSpec().options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        var variable = OWN_VARIABLE.matcher(Objects.requireNonNullElse(option.defaultValue(), ""));
        table.append(
            "| `%s%s` | %s | %s |\n"
                .formatted(
                    option.longestName(),
                    option.arity().max() == 0 ? "" : " " + option.paramLabel(),
                    String.join(" ", option.description()),
                    variable.matches() ? "`" + variable.group(1) + "`" : ""));
      }
    }
    return table.toString();
  }

  private static String resource(Class<?> of, String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(of.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).stripTrailing() + "\n";
    }
  }
}
