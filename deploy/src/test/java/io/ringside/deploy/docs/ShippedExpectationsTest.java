package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.streams.expect.Expectations;
import io.ringside.streams.expect.ExpectationsReader;
import org.junit.jupiter.api.Test;

/// The files of expectations that we ship and show are such as the service takes.
class ShippedExpectationsTest {
  private static final String MOUNT = "/etc/ringside-expectations";

  @Test
  void theConfigMapChangesNothingUntilSomebodyEditsIt() {
    var map =
        Repository.documents(Repository.path("deploy/kubernetes/base/service/expectations.yaml"))
            .getFirst();
    var text = map.at("/data/expectations.yaml").asString();

    assertThat(ExpectationsReader.read(text, "ConfigMap")).isEqualTo(Expectations.builtIn());
    // what it shows in comments can be had by taking the marks away
    var shown = ExpectationsReader.read(text.replaceAll("(?m)^# ", ""), "ConfigMap");
    assertThat(shown).isNotEqualTo(Expectations.builtIn());
  }

  @Test
  void thePodsReadTheConfigMapAsAFolder() {
    var pod =
        Repository.documents(Repository.path("deploy/kubernetes/base/service/stateful-set.yaml"))
            .getFirst()
            .at("/spec/template/spec");

    assertThat(pod.at("/containers/0/args").valueStream().map(it -> it.asString()))
        .contains("--expectations=" + MOUNT + "/expectations.yaml");
    assertThat(pod.at("/containers/0/volumeMounts").valueStream())
        .anySatisfy(
            mount -> {
              assertThat(mount.path("mountPath").asString()).isEqualTo(MOUNT);
              assertThat(mount.has("subPath")).isFalse();
            });
    assertThat(pod.at("/volumes").valueStream())
        .anySatisfy(
            volume ->
                assertThat(volume.at("/configMap/name").asString())
                    .isEqualTo("ringside-expectations"));
  }

  @Test
  void composeMountsAFileThatCanBeRead() {
    var service =
        Repository.documents(Repository.path("docker-compose.yml"))
            .getFirst()
            .at("/services/streams");
    var text = Repository.text(Repository.path("deploy/docker/expectations/expectations.yaml"));

    assertThat(ExpectationsReader.read(text, "compose")).isEqualTo(Expectations.builtIn());
    assertThat(service.at("/environment/RINGSIDE_EXPECTATIONS").asString())
        .startsWith("/etc/ringside/expectations/");
    assertThat(service.at("/volumes").toString()).contains("deploy/docker/expectations");
  }

  @Test
  void theExampleOfTheGuideIsTaken() {
    var guide = Repository.text(Repository.path("docs/how-to/override-expectations.md"));
    var example = guide.substring(guide.indexOf("```yaml\n") + 8);
    var read =
        ExpectationsReader.read(
            example.substring(0, example.indexOf("```")), "the guide's example");

    assertThat(read.thresholds().straggler().share()).isEqualTo(0.1);
    assertThat(read.instanceTypes()).containsKey("lab-h100");
    assertThat(read.of("debug-1").instanceType()).isEqualTo("g5.48xlarge");
    assertThat(read.of("llama").instanceType()).isEqualTo("lab-h100");
  }
}
