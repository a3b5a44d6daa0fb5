package io.ringside.streams.expect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.platform.config.InvalidConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectationsReaderTest {
  private static final Expectations BUILT_IN = Expectations.builtIn();

  @Test
  void knowsEveryFamilyOfInstancesThatTrainingUses() {
    for (var family :
        List.of("g4dn", "g5", "g6", "g6e", "p3dn", "p4d", "p4de", "p5", "p5e", "p5en", "p6-b200")) {
      assertThat(BUILT_IN.instanceTypes().keySet())
          .as(family)
          .anyMatch(name -> name.startsWith(family + "."));
    }
  }

  @Test
  void knowsTheGpuOfEveryInstanceType() {
    BUILT_IN
        .instanceTypes()
        .forEach((name, type) -> assertThat(BUILT_IN.gpuModels()).as(name).containsKey(type.gpu()));
  }

  @Test
  void knowsWhatAGpuCostsOnlyIfTold() {
    assertThat(BUILT_IN.costPerGpuHour("p4d.24xlarge")).isEmpty();

    var told = read("costPerGpuHour: {p4d.24xlarge: 2.75, '*': 4}");
    assertThat(told.costPerGpuHour("p4d.24xlarge")).contains(2.75);
    assertThat(told.costPerGpuHour("p5.48xlarge")).contains(4.0);
    assertThat(told.costPerGpuHour("")).contains(4.0);
  }

  @Test
  void changesSingleKeysOnly() {
    var changed =
        read(
            """
            thresholds:
              straggler: {share: 0.2}
            instanceTypes:
              p4d.24xlarge: {efa: 2}
              x9.large: {gpu: H100, gpus: 2, nvlinkGBps: 450, efa: 1, networkGbps: 100, gdr: true}
              g5.8xlarge:
            harmless:
              "my own line": we print that ourselves
              "Failed to find ncclCollNetPlugin":
            """);

    var straggler = BUILT_IN.thresholds().straggler();
    assertThat(changed.thresholds().straggler())
        .isEqualTo(
            new Thresholds.Straggler(
                straggler.episodes(),
                straggler.least(),
                0.2,
                straggler.waits(),
                straggler.criticalShare()));
    assertThat(changed.thresholds().hang()).isEqualTo(BUILT_IN.thresholds().hang());
    assertThat(changed.instanceTypes().get("p4d.24xlarge"))
        .isEqualTo(new InstanceType("A100", 8, 300, 2, 400, true));
    assertThat(changed.instanceTypes()).containsKey("x9.large").doesNotContainKey("g5.8xlarge");
    assertThat(changed.harmless("here is my own line")).isTrue();
    assertThat(changed.harmless("Failed to find ncclCollNetPlugin_v10")).isFalse();
  }

  @Test
  void changesThingsForSomeJobsOnly() {
    var changed =
        read(
            """
            thresholds: {lateStart: {note: 20s}}
            jobs:
              - match: "debug-*"
                instanceType: g5.48xlarge
                thresholds: {straggler: {episodes: 100}}
              - match: "*"
                harmless: {"noise": of this cluster}
            """);

    var debug = changed.of("debug-7");
    assertThat(debug.thresholds().straggler().episodes()).isEqualTo(100);
    assertThat(debug.thresholds().lateStart().note()).isEqualTo(Duration.ofSeconds(20));
    assertThat(debug.instanceType()).isEqualTo("g5.48xlarge");
    assertThat(debug.harmless("noise")).isFalse();
    assertThat(changed.of("llama").harmless("noise")).isTrue();
    assertThat(changed.of("llama").thresholds().straggler())
        .isEqualTo(BUILT_IN.thresholds().straggler());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "thresholds: {stragler: {share: 1}}      | thresholds.stragler is not a known key, known here: bandwidth",
        "thresholds: {straggler: {shar: 1}}      | thresholds.straggler.shar is not a known key, known here: criticalShare",
        "thresholds: {straggler: {share: 2}}     | thresholds.straggler.share must be 0 to 1, was 2",
        "thresholds: {straggler: {share: much}}  | thresholds.straggler.share cannot be 'much'",
        "thresholds: {straggler: {share: }}      | thresholds.straggler.share must not be empty",
        "thresholds: {lateStart: {note: soon}}   | thresholds.lateStart.note cannot be 'soon': give a number with ms, s, m, h or d",
        "thresholds: {lateStart: {note: 0s}}     | thresholds.lateStart.note must be positive",
        "gpuModels: {H100: {p2p: push}}          | gpuModels.H100.p2p cannot be 'push': must be one of",
        "instanceTypes: {mine: {gpu: H100}}      | instanceTypes.mine",
        "jobs: {match: a}                        | jobs must be a list",
        "jobs: [{match: a, gpus: 1}]             | jobs[0].gpus is not a known key, known here: harmless, instanceType, match, thresholds",
        "jobs: [{instanceType: a}]               | jobs[0].match must be a job's name",
        "jobs: [{match: a, thresholds: {gpu: 1}}] | jobs[0]: thresholds.gpu must hold keys and values",
        "'[1, 2]'                                | must be a YAML mapping",
      })
  void saysWhichKeyIsWrongAndWhatIsAllowed(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageStartingWith("mine.yaml: ")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "llama, llama, true",
    "llama*, llama-3-8b, true",
    "*-8b, llama-3-8b, true",
    "l*a*b, llama-3-8b, true",
    "llama, llama-3, false",
    "?lama, llama, true",
    "a*a*a*a*b, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, false",
  })
  void matchesNamesWhole(String pattern, String name, boolean matches) {
    assertThat(Glob.matches(pattern, name)).isEqualTo(matches);
  }

  private static Expectations read(String yaml) {
    return ExpectationsReader.read(yaml, "mine.yaml");
  }
}
