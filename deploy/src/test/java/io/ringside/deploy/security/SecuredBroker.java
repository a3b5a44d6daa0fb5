package io.ringside.deploy.security;

import io.ringside.standalone.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/// The in-process broker as a careful administrator runs it: TLS with client certificates, and
/// ACLs.
final class SecuredBroker implements AutoCloseable {
  private final EmbeddedBroker broker;
  private final Certificates certificates;
  private final Path administrator;

  private SecuredBroker(EmbeddedBroker broker, Certificates certificates, Path administrator) {
    this.broker = broker;
    this.certificates = certificates;
    this.administrator = administrator;
  }

  static SecuredBroker start(Certificates certificates) throws Exception {
    var server = certificates.issue("broker");
    var administrator = certificates.issue("administrator");
    var broker = EmbeddedBroker.start(settings -> secured(settings, certificates, server));
    return new SecuredBroker(broker, certificates, administrator);
  }

  private static Map<String, String> secured(
      Map<String, String> settings, Certificates certificates, Path server) {
    var secured = new HashMap<>(settings);
    secured.computeIfPresent("listeners", (key, value) -> value.replace("PLAINTEXT://", "SSL://"));
    secured.computeIfPresent(
        "advertised.listeners", (key, value) -> value.replace("PLAINTEXT://", "SSL://"));
    secured.put("listener.security.protocol.map", "SSL:SSL,CONTROLLER:PLAINTEXT");
    secured.put("inter.broker.listener.name", "SSL");
    secured.put("ssl.client.auth", "required");
    stores(certificates, server).forEach(secured::put);
    secured.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    // the broker itself; the controller's listener is on loopback and takes no clients
    secured.put("super.users", "User:CN=broker;User:CN=administrator;User:ANONYMOUS");
    return secured;
  }

  private static Map<String, String> stores(Certificates certificates, Path store) {
    return Map.of(
        "ssl.truststore.type",
        "PEM",
        "ssl.truststore.location",
        certificates.authority().toString(),
        "ssl.keystore.type",
        "PKCS12",
        "ssl.keystore.location",
        store.toString(),
        "ssl.keystore.password",
        Certificates.PASSWORD);
  }

  /// What a client with this certificate needs.
  Map<String, String> client(Path store) {
    var client = new HashMap<>(stores(certificates, store));
    client.put("bootstrap.servers", broker.bootstrapServers());
    client.put("security.protocol", "SSL");
    return client;
  }

  Admin administrator() {
    return Admin.create(Map.copyOf(client(administrator)));
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  @Override
  public void close() {
    broker.close();
  }
}
