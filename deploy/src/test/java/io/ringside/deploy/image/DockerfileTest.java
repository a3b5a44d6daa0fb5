package io.ringside.deploy.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.streams.config.StreamsAppConfig;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the Dockerfile says; what its images hold is put together and run by {@link ProgramsIT}.
class DockerfileTest {
  private static final String TEXT = Repository.text(Repository.path("deploy/docker/Dockerfile"));

  /// Instructions by stage, lines joined; `""` is what comes before the first stage.
  private static final Map<String, List<String>> STAGES = stages();

  @Test
  void startsFromPinnedVersionsAndFetchesNoFrontEnd() {
    assertThat(STAGES.get(""))
        .allMatch(line -> line.matches("ARG (BUILDER|BASE)=[a-z./-]+:\\d+\\.\\d+.*"));
    assertThat(TEXT).doesNotContain("# syntax=").doesNotContain(":latest");
  }

  @Test
  void runsBothProgramsAsAUserWithoutRights() {
    assertThat(STAGES.get("base")).contains("USER 10001:0");
    for (var program : List.of("shipper", "streams")) {
      var stage = STAGES.get(program);
      assertThat(stage).noneMatch(line -> line.startsWith("USER"));
      assertThat(stage)
          .contains("COPY --from=build-" + program + " /opt/ringside /opt/ringside")
          .contains("ENTRYPOINT [\"/opt/ringside/bin/ringside-" + program + "\"]")
          .anyMatch(line -> line.startsWith("LABEL org.opencontainers.image.title="));
      assertThat(STAGES.get("build-" + program))
          .anyMatch(line -> line.startsWith("RUN deploy/docker/assemble " + program + " "));
    }
  }

  @Test
  void hasBothProgramsWithMsksLogin() {
    assertThat(STAGES.get("msk"))
        .anyMatch(line -> line.matches("ARG MSK_IAM_AUTH=\\d+\\.\\d+\\.\\d+"))
        .anyMatch(line -> line.contains("software.amazon.msk:aws-msk-iam-auth:${MSK_IAM_AUTH}"));
    for (var program : List.of("shipper", "streams")) {
      assertThat(TEXT).contains("FROM %s AS %s-msk\n".formatted(program, program));
      assertThat(STAGES.get(program + "-msk"))
          .containsExactly("COPY --from=msk /opt/msk /opt/ringside/extra");
    }
  }

  @Test
  void asksForHealthAtThePortOfTheProbes() throws Exception {
    int agent = ShipperConfig.read(null, Map.of("node", "n"), name -> null).http().port();
    int service = StreamsAppConfig.defaults().http().port();

    for (var port : Map.of("shipper", agent, "streams", service).entrySet()) {
      int probes = port.getValue() + 1;
      assertThat(STAGES.get(port.getKey()))
          .contains("EXPOSE %d %d".formatted(port.getValue(), probes))
          .anyMatch(
              line ->
                  line.startsWith("ENV ") && line.contains("RINGSIDE_HTTP_PROBE_PORT=" + probes))
          .anyMatch(
              line ->
                  line.startsWith("HEALTHCHECK ")
                      && line.endsWith(
                          "CMD [\"/opt/ringside/bin/healthcheck\", \"%d\"]".formatted(probes)));
    }
    for (var script : List.of("assemble", "healthcheck", "launcher", "nvidia-smi", "replay")) {
      assertThat(Files.isExecutable(Repository.path("deploy/docker").resolve(script))).isTrue();
    }
  }

  private static Map<String, List<String>> stages() {
    var stages = new LinkedHashMap<String, List<String>>();
    var stage = "";
    for (var line : TEXT.replaceAll("(?m)^#.*\\n", "").replaceAll("\\\\\\n\\s*", "").split("\n")) {
      if (line.startsWith("FROM ")) {
        stage = line.substring(line.lastIndexOf(' ') + 1);
      } else if (!line.isBlank()) {
        stages.computeIfAbsent(stage, _ -> new ArrayList<>()).add(line);
      }
    }
    return stages;
  }
}
