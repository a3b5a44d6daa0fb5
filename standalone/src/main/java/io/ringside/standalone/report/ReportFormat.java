package io.ringside.standalone.report;

import java.util.Locale;

/// How an account is written down.
public enum ReportFormat {
  /// For a person at a terminal.
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

  /// As it is typed.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The account in this format, without a line break at its end.
  ///
  /// @param version of the program that says so
  public String write(Account account, Screen screen, String version) {
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
