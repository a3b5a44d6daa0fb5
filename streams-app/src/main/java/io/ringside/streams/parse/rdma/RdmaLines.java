package io.ringside.streams.parse.rdma;

import io.ringside.streams.parse.event.RdmaEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Lines of `rdma statistic show` (iproute2's rdma/stat.c), also with `-p` and `-j`. Lines of
/// `rdma link show` begin in the same way.
public final class RdmaLines {
  /// Driver counters that show traffic or trouble: drivers/infiniband/hw/{mlx5,efa}.
  static final List<String> NAMES =
      List.of(
          "rx_write_requests",
          "rx_read_requests",
          "out_of_sequence",
          "packet_seq_err",
          "local_ack_timeout_err",
          "roce_adp_retrans",
          "rx_icrc_encapsulated",
          "tx_pkts",
          "rx_pkts",
          "rx_drops",
          "retrans_pkts",
          "retrans_timeout_events");

  private static final Pattern LINK =
      Pattern.compile("link ([\\w.-]{1,60}/\\d{1,3})((?: +\\w{1,60} \\d{1,18})*+)\\s*");

  private static final Pattern OBJECT =
      Pattern.compile(
          "\\{\"ifindex\":\\d{1,9},\"ifname\":\"([\\w.-]{1,60})\",\"port\":(\\d{1,3})((?:,\"\\w{1,60}\":\\d{1,18})++)\\}");

  private static final Pattern COUNTER = Pattern.compile("(\\w+)(?:\":| )(\\d+)");

  private RdmaLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES = shapes();

  private static List<Shape<TextLine>> shapes() {
    var shapes = new ArrayList<Shape<TextLine>>();
    shapes.add(Shape.of("link */#*", "iproute2 5.1+", RdmaLines::link));
    shapes.add(Shape.of("[{\"ifindex\":#,\"ifname\":*", "iproute2 5.1+, -j", RdmaLines::json));
    NAMES.forEach(
        name -> shapes.add(Shape.of(name + " #", "iproute2 5.1+, -p", RdmaLines::counter)));
    return List.copyOf(shapes);
  }

  private static boolean link(TextLine line) {
    var link = LINK.matcher(line.rest());
    if (!link.matches()) {
      return false;
    }
    var counters = counters(link.group(2));
    return (link.group(2).isBlank() || !counters.isEmpty())
        && line.emit(new RdmaEvent.Port(link.group(1), counters));
  }

  private static boolean json(TextLine line) {
    var ports = OBJECT.matcher(line.rest());
    boolean some = false;
    while (ports.find()) {
      var counters = counters(ports.group(3));
      if (!counters.isEmpty()) {
        some = line.emit(new RdmaEvent.Port(ports.group(1) + "/" + ports.group(2), counters));
      }
    }
    return some;
  }

  private static boolean counter(TextLine line) {
    var counters = counters(line.rest());
    return counters.size() == 1 && line.emit(counters.getFirst());
  }

  private static List<RdmaEvent.Counter> counters(String text) {
    return COUNTER
        .matcher(text)
        .results()
        .filter(it -> NAMES.contains(it.group(1)) && it.group(2).length() <= 18)
        .map(it -> new RdmaEvent.Counter(it.group(1), Long.parseLong(it.group(2))))
        .toList();
  }
}
