package io.ringside.streams.publish.http;

import io.ringside.schemas.event.JobKey;
import io.ringside.streams.ledger.campaign.Campaign;
import io.ringside.streams.publish.JobViews;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Where the fleet's GPU-hours went, as JSON: `/api/campaign`, from `since` to now.
public record CampaignEndpoint(JobViews views, InstantSource clock) implements Endpoint {
  private static final List<String> PATH = List.of("api", "campaign");
  private static final Pattern DAYS = Pattern.compile("(\\d{1,4})d");
  private static final String USUAL = "30d";

  @Override
  public Optional<Response> answer(Request request) {
    if (!request.path().equals(PATH)) {
      return Optional.empty();
    }
    request.allowOnly(Set.of("cluster", "namespace", "since"));
    var now = clock.instant();
    var since = since(request.parameter("since").orElse(USUAL), now);
    var cluster = request.parameter("cluster");
    var namespace = request.parameter("namespace");
    var look = views.look();
    var ledger =
        look.runs().stream()
            .filter(run -> cluster.map(run.cluster()::equals).orElse(true))
            .filter(run -> namespace.map(JobKey.of(run).namespace()::equals).orElse(true))
            .toList();
    var campaign = Campaign.of(ledger, since, now);
    return Optional.of(Response.json(200, new Answer(campaign, look.missing())));
  }

  private static Instant since(String text, Instant now) {
    var days = DAYS.matcher(text);
    try {
      return days.matches()
          ? now.minus(Duration.ofDays(Long.parseLong(days.group(1))))
          : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new RefusedRequest(
          400, "since takes days, such as 30d, or a time, such as 2026-11-20T20:42:30Z");
    }
  }

  /// @param missing what could not be queried and why; empty if the answer is complete
  public record Answer(Campaign campaign, List<String> missing) {}
}
