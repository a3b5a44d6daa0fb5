package io.ringside.standalone.report;

import io.ringside.schemas.serde.EventJson;
import io.ringside.streams.ledger.campaign.Campaign;
import java.util.Locale;

/// The formats of the account of many runs.
public enum CampaignFormat {
  /// For a user at a terminal.
  TEXT,
  /// For programs, as in the API.
  JSON,
  /// To paste into an issue.
  MARKDOWN;

  /// The name as typed.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The campaign in this format, without a line break at the end.
  public String write(Campaign campaign, Screen screen) {
    return switch (this) {
      case TEXT -> String.join(System.lineSeparator(), CampaignReport.of(campaign).text(screen));
      case JSON -> EventJson.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(campaign);
      case MARKDOWN -> String.join("\n", CampaignReport.of(campaign).markdown());
    };
  }
}
