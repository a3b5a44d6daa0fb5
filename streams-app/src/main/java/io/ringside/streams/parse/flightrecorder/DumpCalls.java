package io.ringside.streams.parse.flightrecorder;

import io.ringside.streams.parse.plain.PlainValue;
import java.util.ArrayList;
import java.util.regex.Pattern;

/// Reads the calls of a dump, one per entry.
final class DumpCalls {
  /// `nccl:send 0->3`, `nccl:recv 2<-3`: ranks within the group.
  private static final Pattern PAIR = Pattern.compile("(send|recv) (\\d{1,7})(->|<-)(\\d{1,7})");

  /// How many tensor sizes are shown for a call with many tensors.
  private static final int MOST_SIZES = 3;

  private static final int LONGEST_NAME = 120;

  private DumpCalls() {}

  static Call of(PlainValue entry, DumpGroups groups) {
    var name = cut(entry.field("profiling_name").text());
    var operation = name.substring(name.indexOf(':') + 1);
    var pair = PAIR.matcher(operation);
    boolean p2p = pair.matches();
    boolean sends = p2p && pair.group(1).equals("send");
    int own = p2p ? Integer.parseInt(pair.group(2)) : -1;
    int peer = p2p ? Integer.parseInt(pair.group(4)) : -1;
    return new Call(
        entry.field("record_id").whole(entry.field("id").whole(-1)),
        groups.of(entry).key(),
        entry.field("collective_seq_id").whole(entry.field("seq_id").whole(-1)),
        entry.field("p2p_seq_id").whole(0),
        p2p ? pair.group(1) : operation,
        p2p || entry.field("is_p2p").truth(),
        sends ? own : peer,
        sends ? peer : own,
        sizes(entry.field("input_sizes")),
        cut(entry.field("input_dtypes").item(0).text()),
        elements(entry.field("input_sizes")),
        state(entry),
        OwnFrame.of(entry.field("frames")),
        micros(entry.field("duration_ms")),
        nanos(entry, "time_created"),
        nanos(entry, "time_discovered_completed"));
  }

  /// An abandoned work is retired without being completed; no rank waits in it any more.
  private static CallState state(PlainValue entry) {
    return switch (entry.field("state").text()) {
      case "completed" -> CallState.COMPLETED;
      case "started" -> entry.field("retired").truth() ? CallState.COMPLETED : CallState.STARTED;
      default -> entry.field("retired").truth() ? CallState.COMPLETED : CallState.SCHEDULED;
    };
  }

  private static long nanos(PlainValue entry, String name) {
    long nanos = entry.field(name + "_ns").whole(0);
    return nanos != 0 ? nanos : entry.field(name + "_us").whole(0) * 1000;
  }

  private static int micros(PlainValue millis) {
    double micros = millis.real() * 1000;
    return micros >= 0 ? (int) Math.min(Integer.MAX_VALUE, micros) : -1;
  }

  private static String sizes(PlainValue tensors) {
    var told = new ArrayList<String>();
    for (var tensor : tensors.items()) {
      if (told.size() == MOST_SIZES) {
        told.add("…");
        break;
      }
      told.add(
          tensor.items().stream()
              .limit(8)
              .map(size -> Long.toString(size.whole(-1)))
              .toList()
              .toString());
    }
    return String.join(", ", told);
  }

  private static long elements(PlainValue tensors) {
    long sum = 0;
    for (var tensor : tensors.items()) {
      long product = 1;
      for (var size : tensor.items()) {
        long factor = Math.max(0, size.whole(0));
        if (factor != 0 && product > Long.MAX_VALUE / factor) {
          return -1;
        }
        product *= factor;
      }
      sum += product;
      if (sum < 0) {
        return -1;
      }
    }
    return tensors.items().isEmpty() ? -1 : sum;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME);
  }
}
