package io.ringside.streams.parse.ras;

import io.ringside.streams.parse.plain.Document;
import io.ringside.streams.parse.plain.Json;
import io.ringside.streams.parse.plain.PlainValue;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One answer in JSON.
final class RasJson {
  /// The place where NCCL 2.28.9 omits a comma, before the status of a missing rank
  /// (src/ras/client_support.cc). JSON parsers reject such an answer, and it is the one that
  /// reports a missing rank.
  private static final Pattern NO_COMMA =
      Pattern.compile("(\"nvml_dev\":\\s{0,4}-?\\d{1,9})(\\s{1,64}\"status\")");

  private RasJson() {}

  /// Reads an answer, null if it cannot be read.
  static @Nullable RasAnswer read(String body, long at) {
    if (!(Json.read(NO_COMMA.matcher(body).replaceAll("$1,$2")) instanceof Document.Read(var root))
        || !body.contains("\"communicators_count\"")) {
      return null;
    }
    var comms = new ArrayList<RasAnswer.Comm>();
    root.field("communicators").items().forEach(said -> comms.add(comm(said)));
    return new RasAnswer(at, comms, "");
  }

  private static RasAnswer.Comm comm(PlainValue said) {
    var counts = new ArrayList<RasAnswer.Count>();
    var missing = new TreeSet<Integer>();
    var pids = new TreeMap<Integer, Integer>();
    for (var rank : said.field("ranks").items()) {
      int number = (int) rank.field("rank").whole(-1);
      pids.put(number, (int) rank.field("pid").whole(-1));
      rank.field("collective_counts")
          .fields()
          .forEach((op, count) -> counts.add(new RasAnswer.Count(op, number, 1, count.whole(0))));
    }
    for (var rank : said.field("missing_ranks").items()) {
      missing.add((int) rank.field("rank").whole(rank.whole(-1)));
      pids.put((int) rank.field("rank").whole(-1), (int) rank.field("pid").whole(-1));
    }
    var hash = said.field("hash").text();
    return new RasAnswer.Comm(
        hash.startsWith("0x") ? hash : "0x" + hash,
        (int) said.field("size").whole(-1),
        counts,
        missing.stream().filter(rank -> rank >= 0).toList(),
        pids);
  }
}
