package io.ringside.deploy.security;

import io.ringside.standalone.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/// The in-process broker as Amazon MSK has it: TLS, names with passwords (SCRAM), and ACLs. Its
/// administrator and itself come by a listener of their own, on loopback.
final class ScramBroker implements AutoCloseable {
  private static final int ITERATIONS = 4_096;

  private final EmbeddedBroker broker;
  private final String within;

  private ScramBroker(EmbeddedBroker broker, String within) {
    this.broker = broker;
    this.within = within;
  }

  static ScramBroker start(Certificates certificates) throws Exception {
    var server = certificates.issue("broker");
    var within = "127.0.0.1:" + freePort();
    return new ScramBroker(
        EmbeddedBroker.start(settings -> secured(settings, server, within)), within);
  }

  private static Map<String, String> secured(
      Map<String, String> settings, Path server, String within) {
    var secured = new HashMap<>(settings);
    for (var listeners : List.of("listeners", "advertised.listeners")) {
      secured.computeIfPresent(
          listeners,
          (_, value) -> value.replace("PLAINTEXT://", "WITHIN://" + within + ",CLIENTS://"));
    }
    secured.put(
        "listener.security.protocol.map", "CLIENTS:SASL_SSL,WITHIN:PLAINTEXT,CONTROLLER:PLAINTEXT");
    secured.put("inter.broker.listener.name", "WITHIN");
    secured.put("listener.name.clients.sasl.enabled.mechanisms", "SCRAM-SHA-512");
    secured.put(
        "listener.name.clients.scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    secured.put("ssl.keystore.type", "PKCS12");
    secured.put("ssl.keystore.location", server.toString());
    secured.put("ssl.keystore.password", Certificates.PASSWORD);
    secured.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    secured.put("super.users", "User:ANONYMOUS");
    return secured;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /// Lets somebody in.
  void know(String name, String password) throws Exception {
    var information = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS);
    try (var admin = administrator()) {
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion(name, information, password)))
          .all()
          .get();
    }
  }

  Admin administrator() {
    return Admin.create(Map.of("bootstrap.servers", within));
  }

  /// For clients.
  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  @Override
  public void close() {
    broker.close();
  }
}
