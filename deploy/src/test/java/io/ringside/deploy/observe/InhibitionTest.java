package io.ringside.deploy.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether causes silence their symptoms in a real Alertmanager. Needs Debian's
/// prometheus-alertmanager.
class InhibitionTest {
  @TempDir private Path folder;

  @Test
  void lettingACauseSpeakSilencesItsSymptoms() throws Exception {
    var config = Repository.path("deploy/prometheus/alertmanager.yaml");
    try (var alertmanager = Alertmanager.start(config, folder)) {
      alertmanager.raise(
          alerts(
              "sockets",
              "RingsideEfaFallback",
              "RingsideTransport",
              "RingsideTransportRegression",
              "RingsideBarrierWait",
              "RingsideStepRegression"));
      alertmanager.raise(
          alerts("stuck", "RingsideHang", "RingsideStraggler", "RingsideStragglerSevere"));
      alertmanager.raise(
          alerts("broken", "RingsideGpuError", "RingsideGpuThrottled", "RingsideSensorStalled"));
      alertmanager.raise(alerts("unseen", "RingsideTelemetryGap", "RingsideRanksMissing"));
      alertmanager.raise(alerts("other", "RingsideLateStart"));

      assertHears(
          alertmanager,
          Set.of(
              "RingsideEfaFallback",
              "RingsideHang",
              "RingsideGpuError",
              "RingsideTelemetryGap",
              "RingsideLateStart"));
    }
  }

  @Test
  void pagesOnceForWhatManyJobsShareAndLeavesTheOthers() throws Exception {
    var config = Repository.path("deploy/prometheus/alertmanager.yaml");
    try (var alertmanager = Alertmanager.start(config, folder)) {
      alertmanager.raise(
          List.of(
              symptom("RingsideSharedCause", "", "network", "east"),
              symptom("RingsideEfaFallback", "a", "network", "east"),
              symptom("RingsideHang", "b", "stopped", "east")));

      assertHears(alertmanager, Set.of("RingsideSharedCause", "RingsideHang"));
    }
  }

  @Test
  void hearsOfKafkaAndNotOfEveryAgent() throws Exception {
    var config = Repository.path("deploy/prometheus/alertmanager.yaml");
    try (var alertmanager = Alertmanager.start(config, folder)) {
      alertmanager.raise(
          alerts(
              "j",
              "RingsideKafkaAway",
              "RingsideAgentsLost",
              "RingsideAgentsUnwell",
              "RingsideNoLogs",
              "RingsideTelemetryGap",
              "RingsideGpuError"));

      assertHears(alertmanager, Set.of("RingsideKafkaAway", "RingsideGpuError"));
    }
  }

  private static Map<String, String> symptom(
      String name, String job, String symptom, String cluster) {
    return Map.of("alertname", name, "cluster", cluster, "job", job, "symptom", symptom);
  }

  @Test
  void neverSilencesAnotherJob() throws Exception {
    var config = Repository.path("deploy/prometheus/alertmanager.yaml");
    try (var alertmanager = Alertmanager.start(config, folder)) {
      alertmanager.raise(alerts("a", "RingsideHang"));
      alertmanager.raise(alerts("b", "RingsideStragglerSevere", "RingsideGpuThrottled"));

      assertHears(alertmanager, Set.of("RingsideHang", "RingsideStragglerSevere"));
    }
  }

  @Test
  void neverSilencesAJobOfTheSameNameInAnotherNamespace() throws Exception {
    var config = Repository.path("deploy/prometheus/alertmanager.yaml");
    try (var alertmanager = Alertmanager.start(config, folder)) {
      alertmanager.raise(within("team-a", "llama", "RingsideHang"));
      alertmanager.raise(
          within("team-b", "llama", "RingsideStragglerSevere", "RingsideGpuThrottled"));

      assertHears(alertmanager, Set.of("RingsideHang", "RingsideStragglerSevere"));
    }
  }

  private static List<Map<String, String>> alerts(String job, String... names) {
    return within("train", job, names);
  }

  private static List<Map<String, String>> within(String namespace, String job, String... names) {
    return Arrays.stream(names)
        .map(
            name ->
                Map.of("alertname", name, "cluster", "east", "namespace", namespace, "job", job))
        .toList();
  }

  /// It takes a moment until the first look at inhibitions.
  private static void assertHears(Alertmanager alertmanager, Set<String> expected)
      throws Exception {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!alertmanager.heard().equals(expected) && System.nanoTime() < deadline) {
      Thread.sleep(100);
    }
    assertThat(alertmanager.heard()).isEqualTo(expected);
  }
}
