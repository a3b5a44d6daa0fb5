package io.ringside.standalone.report;

import java.util.Locale;

/// The formats of a report.
public enum ReportFormat {
  /// For a user at a terminal.
  TEXT,
  /// One document for programs.
  JSON,
  /// To paste into an issue.
  MARKDOWN,
  /// For a CI server's list of tests.
  JUNIT,
  /// For code scanning: SARIF 2.1.0.
  SARIF,
  /// Commands of a GitHub workflow, which annotate the run.
  GITHUB;

  /// The name as typed.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The account in this format, without a line break at the end.
  ///
  /// @param version version of the program, for formats that contain it
  public String write(ReportContent account, Screen screen, String version) {
    return switch (this) {
      case TEXT -> String.join(System.lineSeparator(), Report.of(account, screen));
      case JSON -> ReportJson.of(account);
      case MARKDOWN -> ReportMarkdown.of(account);
      case JUNIT -> ReportJunit.of(account);
      case SARIF -> ReportSarif.of(account, version);
      case GITHUB -> ReportGithub.of(account);
    };
  }
}
