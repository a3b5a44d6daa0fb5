package io.ringside.streams.publish.fleet;

import io.ringside.platform.http.Access;
import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.publish.InstanceHoldings;
import io.ringside.streams.publish.ViewsUnavailable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.core.JacksonException;

/// Queries other instances over HTTP, with the token and over TLS if this instance uses them: all
/// instances have the same configuration.
public final class HttpPeers implements Peers, AutoCloseable {
  private final HttpClient client;
  private final Access access;

  public HttpPeers(Access access) {
    this.access = access;
    var builder = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2));
    access.ofPeers().ifPresent(builder::sslContext);
    client = builder.build();
  }

  @Override
  public InstanceHoldings ask(String address, Duration patience) {
    var uri =
        URI.create(
            (access.ofPeers().isPresent() ? "https://" : "http://")
                + address
                + HoldingsEndpoint.PATH);
    var request = HttpRequest.newBuilder(uri).timeout(patience);
    access.authorization().ifPresent(value -> request.header("Authorization", value));
    try {
      var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw new ViewsUnavailable("answers with status " + answer.statusCode(), new IOException());
      }
      return EventJson.MAPPER.readValue(answer.body(), InstanceHoldings.class);
    } catch (IOException | JacksonException e) {
      throw new ViewsUnavailable("does not answer (%s)".formatted(reason(e)), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ViewsUnavailable("interrupted", e);
    }
  }

  private static String reason(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
