package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.streams.config.StreamsAppConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The configuration files that are deployed are read by the programs themselves.
class DeployedConfigsTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "NODE_NAME", "node-1",
          "POD_IP", "10.0.0.7",
          "RINGSIDE_BOOTSTRAP", "kafka:9093",
          "RINGSIDE_CLUSTER", "c",
          "RINGSIDE_KEYSTORE_PASSWORD", "p",
          "RINGSIDE_KAFKA_USER", "u",
          "RINGSIDE_KAFKA_PASSWORD", "p");

  static Stream<Path> shipper() {
    return files("shipper.yaml");
  }

  static Stream<Path> streams() {
    return files("streams.yaml");
  }

  private static Stream<Path> files(String name) {
    var files = Repository.files(Repository.path("deploy/kubernetes"), name);
    assertThat(files).hasSizeGreaterThan(2);
    return files.stream();
  }

  @ParameterizedTest
  @MethodSource("shipper")
  void theAgentReads(Path file) throws Exception {
    var config = ShipperConfig.read(file, Map.of(), ENVIRONMENT::get);

    assertThat(config.node()).isEqualTo("node-1");
    assertThat(config.http().host()).isEqualTo("10.0.0.7");
    assertThat(config.logs().checkpoints()).startsWithRaw(Path.of("/var/lib/ringside"));
    assertThat(config.masks()).isNotEmpty();
    assertThat(ProducerConfig.configNames()).containsAll(config.kafka().keySet());
  }

  @ParameterizedTest
  @MethodSource("streams")
  void theServiceReads(Path file) throws Exception {
    var read = io.ringside.streams.config.StreamsAppConfig.read(file, Map.of(), ENVIRONMENT::get);

    assertThat(read.stateDir()).startsWithRaw(Path.of("/var/lib/ringside"));
    // `kubectl port-forward` and `exec … healthcheck` come over loopback, other instances to the
    // pod's address
    assertThat(read.http().host()).isEqualTo("0.0.0.0");
    assertThat(read.http().advertisedAddress()).isEqualTo("10.0.0.7:9095");
    assertThat(read.kafka().keySet().stream().map(key -> key.replace("main.consumer.", "")))
        .allMatch(ConsumerConfig.configNames()::contains);
  }

  @ParameterizedTest
  @MethodSource("everything")
  void bothTakeTlsAndTokenFromTheirEnvironment(Path file) throws Exception {
    var environment = new HashMap<>(ENVIRONMENT);
    environment.put("RINGSIDE_HTTP_KEYSTORE", "/etc/ringside-http/tls.p12");
    environment.put("RINGSIDE_HTTP_KEYSTORE_PASSWORD", "secret");
    environment.put("RINGSIDE_HTTP_TOKEN_FILE", "/etc/ringside-http/token");

    if (file.endsWith("shipper.yaml")) {
      var http = ShipperConfig.read(file, Map.of(), environment::get).http();
      assertThat(List.of(http.keystore(), http.keystorePassword(), http.tokenFile()))
          .containsExactly("/etc/ringside-http/tls.p12", "secret", "/etc/ringside-http/token");
    } else {
      var http =
          io.ringside.streams.config.StreamsAppConfig.read(file, Map.of(), environment::get).http();
      assertThat(List.of(http.keystore(), http.keystorePassword(), http.tokenFile()))
          .containsExactly("/etc/ringside-http/tls.p12", "secret", "/etc/ringside-http/token");
    }
  }

  static Stream<Path> everything() {
    return Stream.concat(shipper(), streams());
  }

  @Test
  void theServiceTakesTheFlagsOfItsStatefulSet() {
    var set =
        Repository.documents(Repository.path("deploy/kubernetes/base/service/stateful-set.yaml"))
            .getFirst();
    var flags =
        set.at("/spec/template/spec/containers/0/args")
            .valueStream()
            .map(arg -> arg.asString().replaceAll("=.*", ""))
            .toList();

    assertThat(flags).isEqualTo(List.of("--config", "--expectations", "--bootstrap-servers"));
    assertThat(StreamsAppConfig.defaults().http().host()).isEqualTo("127.0.0.1");
  }
}
