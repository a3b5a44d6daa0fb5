package io.ringside.standalone.analyze;

import io.ringside.platform.cli.WordSuggestion;
import io.ringside.schemas.event.FindingKind;
import io.ringside.standalone.input.UnusableInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The options that select a part of the report.
final class ReportFilterOptions {
  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Report what was not over by then: so long before the last line (90s, 20m, 2h, 1d), or a "
              + "time (2026-11-20T20:42:30Z; UTC if it names no zone).")
  private @Nullable String since;

  @Option(
      names = "--job",
      split = ",",
      paramLabel = "NAME",
      description = "Report this job only, by its name or as NAMESPACE/NAME.")
  private List<String> jobs = List.of();

  @Option(
      names = "--rank",
      split = ",",
      paramLabel = "RANK",
      description = "Report findings that name one of these ranks or none: 6, or 0-3,6.")
  private List<String> ranks = List.of();

  @Option(
      names = "--kind",
      split = ",",
      paramLabel = "KIND",
      converter = Kind.class,
      description = "Report findings of this kind only, such as straggler.")
  private List<FindingKind> kinds = List.of();

  /// @throws UnusableInput for the caller to print
  ReportFilter filter() {
    var said = new ArrayList<String>();
    if (since != null) {
      said.add("--since " + since);
    }
    add(said, "--job", jobs);
    add(said, "--rank", ranks);
    add(said, "--kind", kinds.stream().map(FindingKind::label).toList());
    var numbers = new TreeSet<Integer>();
    ranks.forEach(each -> add(numbers, each));
    return new ReportFilter(
        since == null ? null : ReportStart.of(since),
        Set.copyOf(jobs),
        numbers,
        Set.copyOf(kinds),
        said);
  }

  private static void add(List<String> said, String option, List<String> values) {
    if (!values.isEmpty()) {
      said.add(option + " " + String.join(",", values));
    }
  }

  private static void add(Set<Integer> ranks, String typed) {
    var ends = typed.strip().split("-", 2);
    try {
      int first = Integer.parseInt(ends[0]);
      int last = Integer.parseInt(ends[ends.length - 1]);
      if (first < 0 || last < first || last - first > 1_000_000) {
        throw new NumberFormatException();
      }
      for (int rank = first; rank <= last; rank++) {
        ranks.add(rank);
      }
    } catch (NumberFormatException e) {
      throw new UnusableInput("--rank takes numbers such as 6 or 0-3, not %s.".formatted(typed));
    }
  }

  static final class Kind implements ITypeConverter<FindingKind> {
    @Override
    public FindingKind convert(String typed) {
      var labels = Arrays.stream(FindingKind.values()).map(FindingKind::label).toList();
      int at = labels.indexOf(typed);
      if (at < 0) {
        throw new TypeConversionException(
            "no kind of finding is called %s%s"
                .formatted(typed, WordSuggestion.question(typed, labels)));
      }
      return FindingKind.values()[at];
    }
  }
}
