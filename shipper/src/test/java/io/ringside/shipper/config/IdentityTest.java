package io.ringside.shipper.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.LogSource;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdentityTest {
  private static final Identity IDENTITY = Identity.ofNode("prod", "ip-10-0-0-7");

  @Test
  void readsTheKubeletsLayout() {
    String file =
        "/var/log/pods/training_llama-c-node-0-1_7039b740-225b-40a6-879b-b928c3847297/trainer/0.log";
    assertThat(IDENTITY.sourceOf(Path.of(file)))
        .isEqualTo(
            new LogSource(
                "prod",
                "ip-10-0-0-7",
                "training",
                "llama-c-node-0-1",
                "7039b740-225b-40a6-879b-b928c3847297",
                "trainer",
                "llama-c",
                file));
    assertThat(Identity.isKubeletFile(Path.of(file))).isTrue();
    assertThat(Identity.isKubeletFile(Path.of(file + ".20261120-204226.gz"))).isTrue();
    assertThat(Identity.isKubeletFile(Path.of("/var/log/0.log"))).isFalse();
  }

  @Test
  void readsTheLinksOfContainers() {
    String id = "0123456789abcdef".repeat(4);
    var source =
        IDENTITY.sourceOf(
            Path.of("/var/log/containers/llama-worker-3_training_side-car-" + id + ".log"));
    assertThat(source.namespace()).isEqualTo("training");
    assertThat(source.container()).isEqualTo("side-car");
    assertThat(source.job()).isEqualTo("llama");
  }

  @ParameterizedTest
  @CsvSource({
    "llama-3-8b-node-0-0.log, llama-3-8b-node-0-0",
    "pods/trainer-0.txt.gz, trainer-0",
    "slurm-4711.out, slurm-4711",
    "a.b.log, a.b",
    ".log, .log",
    "worker.log.20261120-204226, worker",
    "worker.log.1, worker",
    "llama-3-8b-node-0-0.attempt1.log, llama-3-8b-node-0-0",
    "worker.run2.log.gz, worker",
    "my.attempt.log, my.attempt"
  })
  void thePodOfAPlainFileIsItsName(String file, String pod) {
    assertThat(IDENTITY.sourceOf(Path.of(file)).pod()).isEqualTo(pod);
  }

  @ParameterizedTest
  @CsvSource({
    "llama-3-8b-node-0-0, llama-3-8b",
    "llama-3-8b-node-0-0-x7k2p, llama-3-8b",
    "sets-workers-0-3-9h2kq, sets",
    "bert-master-0, bert",
    "bert-worker-12, bert",
    "horovod-launcher, horovod",
    "horovod-launcher-x7k2p, horovod",
    "horovod-worker-0, horovod",
    "raycluster-kuberay-head-vkj4n, raycluster-kuberay",
    "raycluster-kuberay-workergroup-worker-fdcqz, raycluster-kuberay",
    "raycluster-kuberay-worker-small-group-fdcqz, raycluster-kuberay",
    "tf-ps-0, tf",
    "lm-mpiworker-3, lm",
    "lm-default0-3, lm",
    "slurm-123, slurm-123",
    "slurm-123_4, slurm-123",
    "indexed-7-x7k2p, indexed",
    "trainer-5, trainer",
    "just-a-pod, just-a-pod"
  })
  void theJobFollowsFromThePodsName(String pod, String job) {
    assertThat(IDENTITY.jobOf(pod)).isEqualTo(job);
  }

  @Test
  void configurationOverridesTheJobAndFillsInTheNamespace() {
    var identity = new Identity("", "n", "research", "my-job", JobPattern.DEFAULTS);
    var source = identity.sourceOf(Path.of("x-worker-0.log"));
    assertThat(source.job()).isEqualTo("my-job");
    assertThat(source.namespace()).isEqualTo("research");
  }

  @Test
  void ownPatternsReplaceTheUsualOnes() {
    var identity =
        new Identity("", "n", "", "", List.of(new JobPattern("ours", "x-(?<job>\\w+)-.*")));
    assertThat(identity.jobOf("x-fine-worker-0")).isEqualTo("fine");
    assertThat(identity.jobOf("y-worker-0")).isEqualTo("y-worker-0");
  }

  @Test
  void refusesAPatternWithoutAJob() {
    assertThatThrownBy(() -> new JobPattern("bad", "(.*)-\\d+"))
        .hasMessageContaining("must have a group (?<job>");
    assertThatThrownBy(() -> new JobPattern("bad", "(")).hasMessageContaining("cannot be read");
  }
}
