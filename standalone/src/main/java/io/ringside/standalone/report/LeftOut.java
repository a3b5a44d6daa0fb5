package io.ringside.standalone.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Counts of what was judged but is not reported, because the user asked for less.
///
/// @param by the options that asked for it, as on the command line: `--rank 6`
/// @param jobs number of whole jobs
/// @param runs number of whole runs of the reported jobs
/// @param findings number over all jobs
public record LeftOut(List<String> by, int jobs, int runs, int findings) {
  /// Everything is reported.
  public static final LeftOut NOTHING = new LeftOut(List.of(), 0, 0, 0);

  public LeftOut {
    by = List.copyOf(by);
  }

  /// `left out by --rank 6: 1 run, 3 findings`; empty if the user did not ask for less.
  String sentence() {
    if (by.isEmpty()) {
      return "";
    }
    var what =
        Stream.of(counted(jobs, "job"), counted(runs, "run"), counted(findings, "finding"))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    return "left out by %s: %s".formatted(String.join(" ", by), what.isEmpty() ? "nothing" : what);
  }

  private static String counted(int n, String noun) {
    return n == 0 ? "" : Figures.count(n, noun);
  }
}
