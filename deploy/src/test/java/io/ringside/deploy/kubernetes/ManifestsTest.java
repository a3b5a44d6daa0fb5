package io.ringside.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.ringside.deploy.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class ManifestsTest {
  private static final Path KUBERNETES = Repository.path("deploy/kubernetes");

  @ParameterizedTest
  @ValueSource(strings = {"base", "overlays/eks-msk", "overlays/strimzi", "overlays/development"})
  void areWhatKubernetesKnows(String folder) {
    var objects = Kustomize.render(KUBERNETES.resolve(folder));

    assertThat(objects).hasSizeGreaterThan(12);
    for (var object : objects) {
      assertThat(Model.strict(object)).as("%s", object.at("/metadata/name")).isNotNull();
    }
  }

  @Test
  void areStrictAboutFieldsThatKubernetesDoesNotKnow() {
    var typo = set("DaemonSet", "base");
    typo.withObject("/spec/template/spec").put("hostNetwrok", true);

    assertThatThrownBy(() -> Model.strict(typo)).hasMessageContaining("hostNetwrok");
  }

  @Test
  void areAllUsedBySomething() {
    var used = new HashSet<Path>();
    for (var overlay : List.of("eks-msk", "strimzi", "development")) {
      used.addAll(Kustomize.used(KUBERNETES.resolve("overlays").resolve(overlay)));
    }
    var unused = new HashSet<>(Repository.files(KUBERNETES, ".yaml"));
    unused.removeAll(used);

    assertThat(unused.stream().map(KUBERNETES::relativize).map(Path::toString))
        .containsExactlyInAnyOrder(
            // for whoever needs them; the next test renders them
            "components/flight-recorder/kustomization.yaml",
            "components/hardware-counters/kustomization.yaml",
            "components/http-tls/kustomization.yaml",
            "components/kafka-msk-iam/kustomization.yaml",
            "components/kafka-msk-iam/shipper.yaml",
            "components/kafka-msk-iam/streams.yaml",
            "components/kernel-log/kustomization.yaml",
            "components/kubernetes/cluster-role.yaml",
            "components/kubernetes/kustomization.yaml",
            "components/nccl-inspector/kustomization.yaml",
            "components/nvidia-runtime-class/kustomization.yaml",
            "components/ras/kustomization.yaml",
            "components/root-only-logs/kustomization.yaml",
            "components/static-membership/kustomization.yaml",
            "examples/recorded-job.yaml",
            "examples/trainjob.yaml");
  }

  @Test
  void haveComponentsThatFitTheBase() {
    var agent =
        rendered("DaemonSet", "components/root-only-logs", "components/nvidia-runtime-class");

    var spec = Model.strict(agent, DaemonSet.class).getSpec().getTemplate().getSpec();
    assertThat(spec.getRuntimeClassName()).isEqualTo("nvidia");
    assertThat(spec.getSecurityContext().getRunAsUser()).isZero();
    var capabilities = spec.getContainers().getFirst().getSecurityContext().getCapabilities();
    assertThat(capabilities.getDrop()).containsExactly("ALL");
    assertThat(capabilities.getAdd()).containsExactly("DAC_READ_SEARCH");
    assertThat(spec.getInitContainers().getFirst().getCommand().getLast()).contains("chown 0:0 ");
  }

  @Test
  void letTheAgentReadTheKernelsLogWithoutMakingItRoot() {
    var agent = rendered("DaemonSet", "components/kernel-log");

    var spec = Model.strict(agent, DaemonSet.class).getSpec().getTemplate().getSpec();
    var container = spec.getContainers().getFirst();
    assertThat(container.getSecurityContext().getPrivileged()).isTrue();
    assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
    assertThat(spec.getSecurityContext().getRunAsUser()).isPositive();
    assertThat(spec.getInitContainers().getFirst().getSecurityContext().getPrivileged()).isNull();
    assertThat(container.getEnv())
        .filteredOn(variable -> variable.getName().equals("RINGSIDE_KERNEL"))
        .extracting(variable -> variable.getValue())
        .containsExactly("true");
  }

  @Test
  void letTheAgentCountErrorsWithWhatItHas() {
    var plain = Model.strict(rendered("DaemonSet"), DaemonSet.class);
    var counting =
        Model.strict(rendered("DaemonSet", "components/hardware-counters"), DaemonSet.class);

    var container = counting.getSpec().getTemplate().getSpec().getContainers().getFirst();
    assertThat(container.getEnv())
        .filteredOn(variable -> variable.getName().equals("RINGSIDE_COUNTERS"))
        .hasSize(1);
    assertThat(container.getSecurityContext())
        .isEqualTo(
            plain
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getSecurityContext());
    assertThat(counting.getSpec().getTemplate().getSpec().getVolumes())
        .isEqualTo(plain.getSpec().getTemplate().getSpec().getVolumes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"flight-recorder", "nccl-inspector"})
  void letTheAgentSeeOneFolderMoreAndChangeNothing(String component) {
    var plain = Model.strict(rendered("DaemonSet"), DaemonSet.class).getSpec().getTemplate();
    var reading =
        Model.strict(rendered("DaemonSet", "components/" + component), DaemonSet.class)
            .getSpec()
            .getTemplate();

    var container = reading.getSpec().getContainers().getFirst();
    var before = plain.getSpec().getContainers().getFirst();
    assertThat(container.getSecurityContext()).isEqualTo(before.getSecurityContext());
    assertThat(reading.getSpec().getSecurityContext())
        .isEqualTo(plain.getSpec().getSecurityContext());
    assertThat(container.getVolumeMounts())
        .filteredOn(mount -> !before.getVolumeMounts().contains(mount))
        .singleElement()
        .satisfies(
            mount -> {
              assertThat(mount.getMountPath()).isEqualTo("/var/log/" + component);
              assertThat(mount.getReadOnly()).isTrue();
            });
  }

  @Test
  void letTheAgentAskRasAtItsNodeAndNowhereElseMore() {
    var env = Kustomize.containers(rendered("DaemonSet", "components/ras")).getFirst().path("env");
    var policy = rendered("NetworkPolicy", "components/ras");

    assertThat(env.findValuesAsString("name"))
        .containsSubsequence("HOST_IP", "RINGSIDE_RAS_ADDRESSES");
    assertThat(Model.strict(policy, NetworkPolicy.class).getSpec().getEgress())
        .flatExtracting(rule -> rule.getPorts())
        .extracting(port -> port.getPort().getIntVal())
        .containsOnly(53, 9092, 28028);
  }

  @Test
  void letTheAgentWatchPodsAndNodesAndNothingElse() {
    var role = rendered("ClusterRole", "components/kubernetes");
    var pod =
        Model.strict(rendered("DaemonSet", "components/kubernetes"), DaemonSet.class)
            .getSpec()
            .getTemplate()
            .getSpec();
    var policy = rendered("NetworkPolicy", "components/kubernetes");

    assertThat(role.path("rules").toString())
        .isEqualTo(
            "[{\"apiGroups\":[\"\"],\"resources\":[\"pods\",\"nodes\"],\"verbs\":[\"watch\"]}]");
    assertThat(pod.getAutomountServiceAccountToken()).isFalse();
    assertThat(pod.getInitContainers().getFirst().getVolumeMounts())
        .extracting(mount -> mount.getName())
        .doesNotContain("kubernetes");
    assertThat(pod.getContainers().getFirst().getVolumeMounts())
        .filteredOn(mount -> mount.getName().equals("kubernetes"))
        .singleElement()
        .satisfies(mount -> assertThat(mount.getReadOnly()).isTrue());
    assertThat(Model.strict(policy, NetworkPolicy.class).getSpec().getEgress())
        .flatExtracting(rule -> rule.getPorts())
        .extracting(port -> port.getPort().getIntVal())
        .containsOnly(53, 9092, 443, 6443);
  }

  @Test
  void letProgramsAskForTheirRoleAndNobodyElseMore() {
    for (var name : List.of("ringside-agents", "ringside")) {
      var policy =
          Kustomize.render(
                  KUBERNETES.resolve("base"),
                  List.of(KUBERNETES.resolve("components/kafka-msk-iam")))
              .stream()
              .filter(object -> object.path("kind").asString().equals("NetworkPolicy"))
              .map(object -> Model.strict(object, NetworkPolicy.class))
              .filter(it -> it.getMetadata().getNamespace().equals(name))
              .findFirst()
              .orElseThrow();

      var credentials = policy.getSpec().getEgress().getLast();
      assertThat(credentials.getTo())
          .extracting(peer -> peer.getIpBlock().getCidr())
          .containsExactly("169.254.170.23/32");
      assertThat(credentials.getPorts())
          .extracting(port -> port.getPort().getIntVal())
          .containsExactly(80);
    }
  }

  @Test
  void makeStaticMembersOfTheirPodsWhereThatIsWanted() {
    var set = rendered("StatefulSet", "components/static-membership");

    var container =
        Model.strict(set, StatefulSet.class)
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .getFirst();
    assertThat(container.getArgs())
        .endsWith("--kafka=main.consumer.group.instance.id=$(POD_NAME)")
        .hasSizeGreaterThan(3);
    assertThat(container.getEnv())
        .filteredOn(variable -> variable.getName().equals("POD_NAME"))
        .extracting(variable -> variable.getValueFrom().getFieldRef().getFieldPath())
        .containsExactly("metadata.name");
  }

  @Test
  void askAtAPortThatOnlyKubeletsReach() {
    var policies =
        Kustomize.render(KUBERNETES.resolve("base")).stream()
            .filter(object -> object.path("kind").asString().equals("NetworkPolicy"))
            .map(Object::toString)
            .toList();
    for (var kind : List.of("DaemonSet", "StatefulSet")) {
      var container = Kustomize.containers(rendered(kind, "components/http-tls")).getFirst();

      for (var probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
        assertThat(container.at("/" + probe + "/httpGet/port").asString()).isEqualTo("probes");
        assertThat(container.at("/" + probe + "/httpGet").has("scheme")).isFalse();
        assertThat(container.at("/" + probe + "/httpGet/path").asString()).startsWith("/");
      }
      var port =
          container
              .path("ports")
              .valueStream()
              .filter(each -> each.path("name").asString().equals("probes"))
              .findFirst()
              .orElseThrow()
              .path("containerPort")
              .asString();
      assertThat(policies).noneMatch(policy -> policy.contains(port));
      assertThat(container.path("env").findValuesAsString("name"))
          .contains(
              "RINGSIDE_HTTP_KEYSTORE",
              "RINGSIDE_HTTP_KEYSTORE_PASSWORD",
              "RINGSIDE_HTTP_TOKEN_FILE");
    }
  }

  @Test
  void scrapeOverTlsWhereThePagesAreOverTls() {
    var monitors =
        Kustomize.render(
                KUBERNETES.resolve("base"),
                List.of(
                    KUBERNETES.resolve("components/prometheus-operator"),
                    KUBERNETES.resolve("components/http-tls")))
            .stream()
            .filter(object -> object.path("kind").asString().equals("PodMonitor"))
            .toList();

    assertThat(monitors).hasSize(2);
    for (var monitor : monitors) {
      assertThat(Model.strict(monitor)).isInstanceOf(CustomResource.PodMonitor.class);
      assertThat(monitor.at("/spec/podMetricsEndpoints/0/scheme").asString()).isEqualTo("https");
      assertThat(monitor.at("/spec/podMetricsEndpoints/0/authorization/credentials/key").asString())
          .isEqualTo("token");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"base", "overlays/eks-msk", "overlays/strimzi", "overlays/development"})
  void leadToAbsoluteAddresses(String folder) {
    var links =
        Kustomize.render(KUBERNETES.resolve(folder)).stream()
            .filter(object -> object.at("/metadata/name").asString().equals("ringside-links"))
            .findFirst()
            .orElseThrow();

    assertThat(links.at("/data/page").asString()).matches("https?://.+[^/]");
    if (folder.matches(".*(eks-msk|strimzi)")) {
      assertThat(links.at("/data/runbooks").asString()).matches("https?://.+[^/]");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"eks-msk", "strimzi", "development"})
  void giveNoContainerMoreThanItNeeds(String overlay) {
    for (var pod : pods(Kustomize.render(KUBERNETES.resolve("overlays").resolve(overlay)))) {
      assertThat(pod.getAutomountServiceAccountToken()).isFalse();
      assertThat(pod.getHostNetwork()).isNull();
      assertThat(pod.getHostPID()).isNull();
      assertThat(pod.getHostIPC()).isNull();
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      // no user of the host's; Kafka's image has one of its own
      boolean own = !pod.getContainers().getFirst().getName().equals("kafka");
      assertThat(pod.getSecurityContext().getRunAsUser()).isGreaterThan(own ? 10_000L : 0L);
      assertThat(pod.getSecurityContext().getSeccompProfile().getType())
          .isEqualTo("RuntimeDefault");
      for (var container : pod.getContainers()) {
        confined(container);
        assertThat(container.getSecurityContext().getCapabilities().getAdd()).isEmpty();
        assertThat(container.getReadinessProbe())
            .as("readiness of %s", container.getName())
            .isNotNull();
      }
      for (var container : pod.getInitContainers()) {
        confined(container);
        assertThat(container.getSecurityContext().getCapabilities().getAdd())
            .containsExactly("CHOWN");
      }
    }
  }

  private static void confined(Container container) {
    var security = container.getSecurityContext();
    assertThat(security.getAllowPrivilegeEscalation()).isFalse();
    assertThat(security.getPrivileged()).isNull();
    assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
    if (!container.getName().equals("kafka")) {
      assertThat(security.getReadOnlyRootFilesystem()).isTrue();
    }
    assertThat(container.getResources().getLimits()).containsKeys("memory", "ephemeral-storage");
    assertThat(container.getResources().getRequests())
        .containsKeys("memory", "cpu", "ephemeral-storage");
    assertThat(container.getImagePullPolicy()).isEqualTo("IfNotPresent");
    // a pinned version, and no claim on a GPU
    assertThat(container.getImage()).matches(".+:\\d+\\.\\d+\\.\\d+");
    assertThat(container.getResources().getLimits()).doesNotContainKey("nvidia.com/gpu");
  }

  @Test
  void letTheAgentSeeLogsAndCountersAndWriteItsStateOnly() {
    var pod =
        Model.strict(set("DaemonSet", "base"), DaemonSet.class).getSpec().getTemplate().getSpec();

    assertThat(pod.getVolumes().stream().filter(volume -> volume.getHostPath() != null))
        .extracting(volume -> volume.getHostPath().getPath())
        .containsExactly("/var/log/pods", "/var/lib/ringside", "/sys");
    assertThat(pod.getContainers().getFirst().getVolumeMounts())
        .filteredOn(mount -> !Boolean.TRUE.equals(mount.getReadOnly()))
        .extracting(mount -> mount.getMountPath())
        .containsExactlyInAnyOrder("/var/lib/ringside", "/tmp");
    assertThat(pod.getContainers().getFirst().getEnv())
        .filteredOn(variable -> variable.getName().equals("NVIDIA_DRIVER_CAPABILITIES"))
        .extracting(variable -> variable.getValue())
        .containsExactly("utility");
    assertThat(pod.getTolerations())
        .extracting(toleration -> toleration.getKey())
        .contains("nvidia.com/gpu", "vpc.amazonaws.com/efa");
    assertThat(pod.getSecurityContext().getRunAsGroup()).isZero();
    assertThat(pod.getPriorityClassName()).isEqualTo("ringside-agent");
  }

  @Test
  void updateTheAgentOnATenthOfTheNodesAtOnce() {
    var spec = Model.strict(set("DaemonSet", "base"), DaemonSet.class).getSpec();

    assertThat(spec.getUpdateStrategy().getRollingUpdate().getMaxUnavailable().getStrVal())
        .isEqualTo("10%");
  }

  @Test
  void giveTheServiceTimeToRestoreAndLetOthersTakeOver() {
    var spec = Model.strict(set("StatefulSet", "base"), StatefulSet.class).getSpec();
    var container = spec.getTemplate().getSpec().getContainers().getFirst();
    var startup = container.getStartupProbe();

    assertThat(startup.getFailureThreshold() * startup.getPeriodSeconds())
        .isGreaterThanOrEqualTo(300);
    assertThat(container.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/healthz");
    assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
    assertThat(spec.getTemplate().getSpec().getTopologySpreadConstraints()).hasSize(2);
    assertThat(
            spec.getTemplate()
                .getSpec()
                .getAffinity()
                .getPodAntiAffinity()
                .getPreferredDuringSchedulingIgnoredDuringExecution())
        .extracting(term -> term.getPodAffinityTerm().getTopologyKey())
        .containsExactly("kubernetes.io/hostname");
    assertThat(spec.getVolumeClaimTemplates()).as("a volume would pin it to a zone").isEmpty();
  }

  @Test
  void closeBothNamespacesButForScrapesNamesAndKafka() {
    var policies =
        Kustomize.render(KUBERNETES.resolve("base")).stream()
            .filter(object -> object.path("kind").asString().equals("NetworkPolicy"))
            .map(object -> Model.strict(object, NetworkPolicy.class))
            .toList();

    assertThat(policies)
        .extracting(policy -> policy.getMetadata().getNamespace())
        .containsExactlyInAnyOrder("ringside", "ringside-agents");
    for (var policy : policies) {
      assertThat(policy.getSpec().getPodSelector().getMatchLabels()).isNullOrEmpty();
      assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
      assertThat(policy.getSpec().getIngress()).allMatch(rule -> !rule.getFrom().isEmpty());
      assertThat(policy.getSpec().getEgress())
          .flatExtracting(rule -> rule.getPorts())
          .extracting(port -> port.getPort().getIntVal())
          .containsOnly(53, 9092);
    }
  }

  @Test
  void letInstancesAskEachOther() {
    var policy =
        Kustomize.render(KUBERNETES.resolve("base")).stream()
            .filter(object -> object.path("kind").asString().equals("NetworkPolicy"))
            .map(object -> Model.strict(object, NetworkPolicy.class))
            .filter(it -> it.getMetadata().getNamespace().equals("ringside"))
            .findFirst()
            .orElseThrow();

    assertThat(policy.getSpec().getIngress().getFirst().getFrom())
        .filteredOn(peer -> peer.getPodSelector() != null)
        .extracting(peer -> peer.getPodSelector().getMatchLabels())
        .containsExactly(java.util.Map.of("app.kubernetes.io/name", "ringside-streams"));
  }

  @Test
  void keepSecretsOutOfTheFiles() {
    for (var file : Repository.files(KUBERNETES, ".yaml")) {
      var kinds = Repository.documents(file).stream().map(object -> object.path("kind").asString());
      assertThat(kinds).as("%s", file).doesNotContain("Secret");
      assertThat(Repository.text(file).lines())
          .as("%s", file)
          .noneMatch(line -> line.matches("(?i).*password[\"']?\\s*[=:]\\s*[\"']?[a-z0-9].*"));
    }
  }

  @Test
  void haveTheAlertRulesThatPrometheusHas() throws Exception {
    var file = KUBERNETES.resolve("components/prometheus-operator/prometheus-rule.yaml");
    var source = Repository.path("deploy/prometheus/rules/ringside.yaml");
    if (Boolean.getBoolean("ringside.write")) {
      java.nio.file.Files.writeString(file, rule(Repository.text(source)));
    }

    assertThat(Repository.text(file)).isEqualTo(rule(Repository.text(source)));
    var groups = Repository.documents(file).getFirst().at("/spec/groups");
    assertThat(groups).isEqualTo(Repository.documents(source).getFirst().get("groups"));
  }

  private static String rule(String rules) {
    return """
        # Made from deploy/prometheus/rules/ringside.yaml by the tests with -Dringside.write=true.
        apiVersion: monitoring.coreos.com/v1
        kind: PrometheusRule
        metadata:
          name: ringside
          namespace: ringside
        spec:
        """
        + rules
            .substring(rules.indexOf("groups:"))
            .lines()
            .map(line -> (line.isEmpty() ? "" : "  " + line) + "\n")
            .reduce("", String::concat);
  }

  @Test
  void showAJobWithTheEnvironmentThatRingsideWants() {
    var job = Repository.documents(KUBERNETES.resolve("examples/trainjob.yaml")).getFirst();

    assertThat(Model.strict(job)).isInstanceOf(CustomResource.TrainJob.class);
    assertThat(job.at("/spec/trainer/env").findValuesAsString("name"))
        .contains(
            "NCCL_DEBUG",
            "NCCL_DEBUG_SUBSYS",
            "NCCL_DEBUG_TIMESTAMP_LEVELS",
            "NCCL_DEBUG_TIMESTAMP_FORMAT",
            "PYTHONUNBUFFERED");
  }

  @Test
  void printARecordedJobWhereThereIsNoGpu() {
    var file = KUBERNETES.resolve("examples/recorded-job.yaml");
    var pod = Model.strict(Repository.documents(file).getFirst(), Pod.class);

    var container = pod.getSpec().getContainers().getFirst();
    confined(container);
    assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(container.getCommand().getLast()).contains("gzip -dc /recorded/log.gz");
    for (var text :
        List.of(Repository.text(file), Repository.text(Repository.path("docs/install.md")))) {
      var recording = text.replaceAll("(?s).*--from-file=log.gz=(\\S+).*", "$1");
      assertThat(Repository.path(recording)).isRegularFile();
      // so that its job is called as in the recording
      assertThat(recording).endsWith("/" + pod.getMetadata().getName() + ".log.gz");
    }
  }

  private static List<PodSpec> pods(List<ObjectNode> objects) {
    var pods = new ArrayList<PodSpec>();
    for (var object : objects) {
      switch (Model.strict(object)) {
        case DaemonSet set -> pods.add(set.getSpec().getTemplate().getSpec());
        case StatefulSet set -> pods.add(set.getSpec().getTemplate().getSpec());
        default -> {}
      }
    }
    assertThat(pods).hasSizeBetween(2, 3);
    return pods;
  }

  private static ObjectNode set(String kind, String folder) {
    return Kustomize.render(KUBERNETES.resolve(folder)).stream()
        .filter(object -> Set.of(kind).contains(object.path("kind").asString()))
        .findFirst()
        .orElseThrow();
  }

  private static ObjectNode rendered(String kind, String... components) {
    return Kustomize.render(
            KUBERNETES.resolve("base"), Stream.of(components).map(KUBERNETES::resolve).toList())
        .stream()
        .filter(object -> object.path("kind").asString().equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
