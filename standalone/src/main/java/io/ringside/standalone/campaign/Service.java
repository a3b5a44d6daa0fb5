package io.ringside.standalone.campaign;

import io.ringside.schemas.serde.EventJson;
import io.ringside.standalone.input.UnusableInput;
import io.ringside.streams.publish.http.CampaignEndpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// A running service, queried over its API.
///
/// @param address of its page
/// @param tokenFile contains its bearer token, null if it requires none
record Service(String address, @Nullable Path tokenFile) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /// @throws UnusableInput if it does not answer
  CampaignEndpoint.Answer campaign(Instant since) throws InterruptedException {
    try (var client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      var request =
          HttpRequest.newBuilder(
                  URI.create(address.replaceFirst("/+$", "") + "/api/v1/campaign?since=" + since))
              .timeout(PATIENCE);
      if (tokenFile != null) {
        request.header("Authorization", "Bearer " + Files.readString(tokenFile).strip());
      }
      var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw new UnusableInput(
            "%s answers with status %d; a service of this version has /api/v1/campaign."
                .formatted(address, answer.statusCode()));
      }
      return EventJson.MAPPER.readValue(answer.body(), CampaignEndpoint.Answer.class);
    } catch (IOException | JacksonException | IllegalArgumentException e) {
      throw new UnusableInput(
          "no service answers at %s; give --url of one that runs, or --ledger FILE."
              .formatted(address),
          e);
    }
  }
}
