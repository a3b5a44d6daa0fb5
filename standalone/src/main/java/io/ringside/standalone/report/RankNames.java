package io.ringside.standalone.report;

import io.ringside.schemas.event.Evidence;
import io.ringside.schemas.event.Finding;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// Which global rank wrote a line of proof: NCCL's header tells host, pid and the process's own device, not the rank.
///
/// @param byWriter without processes that are several ranks
public record RankNames(Map<Writer, Integer> byWriter) {
  /// Nobody is known.
  public static final RankNames NONE = new RankNames(Map.of());

  /// `worker-3:152:510 [0]`, in all versions of NCCL (src/debug.cc).
  private static final Pattern HEADER =
      Pattern.compile("(?:^|\\s)([^\\s:]+):(\\d{1,9}):\\d+ \\[\\d+\\]");

  /// PyTorch's watchdogs, from 2.2 on.
  private static final Pattern PYTORCH = Pattern.compile("^\\[rank(\\d{1,9})\\]:");

  public RankNames {
    byWriter = Map.copyOf(byWriter);
  }

  /// A process of a run.
  public record Writer(String run, String host, int pid) {}

  OptionalInt of(Finding finding, Evidence evidence) {
    var pytorch = PYTORCH.matcher(evidence.text());
    if (pytorch.find()) {
      return OptionalInt.of(Integer.parseInt(pytorch.group(1)));
    }
    var header = HEADER.matcher(evidence.text());
    if (header.find()) {
      var writer = new Writer(finding.run(), header.group(1), Integer.parseInt(header.group(2)));
      var rank = byWriter.get(writer);
      return rank == null ? OptionalInt.empty() : OptionalInt.of(rank);
    }
    return OptionalInt.empty();
  }
}
