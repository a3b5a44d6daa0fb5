package io.ringside.streams.job.hardware;

import io.ringside.schemas.event.Evidence;
import io.ringside.streams.fact.PortErrorKind;
import io.ringside.streams.fact.PortFacts;
import io.ringside.streams.parse.event.RdmaEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Saved output of `rdma statistic show`, or of the kernel's files, in one file, at several times.
/// Bounded: the first
/// {@value #MOST_PORTS} ports, the last {@value #MOST_LOOKS} times.
public final class SavedPorts {
  private static final int MOST_PORTS = 64;
  private static final int MOST_LOOKS = 240;

  /// Traffic counters of mlx5, where EFA counts packets: a message is at least one packet.
  private static final List<String> MESSAGES = List.of("rx_write_requests", "rx_read_requests");

  /// Bytes of an InfiniBand port, in words of four: the least number of packets follows, where a
  /// user saved no counters of these.
  private static final List<String> WORDS = List.of("port_rcv_data", "port_xmit_data");

  /// Words in the largest packet of InfiniBand, 4 KiB.
  private static final long WORDS_IN_PACKET = 1024;

  private final Map<String, Port> ports = new TreeMap<>();
  private @Nullable Port current;
  private int time;

  /// Counters of a port at one time.
  private record Look(int time, Map<String, Long> counters, Evidence line) {}

  /// What a port counted between two times.
  ///
  /// @param time how many times all ports were read until then
  /// @param facts the counts; packets are messages if the driver counts none
  public record Gain(int time, PortFacts facts, Evidence line) {}

  private static final class Port {
    private final List<Look> looks = new ArrayList<>();
  }

  /// Reads one line. Lines come in order.
  public void note(RdmaEvent event, Evidence line) {
    switch (event) {
      case RdmaEvent.Port(var device, var counters) -> {
        current = port(device);
        if (current != null) {
          look(current.looks, line);
          counters.forEach(counter -> count(counter.name(), counter.count()));
        }
      }
      case RdmaEvent.Counter(var name, long count) -> count(name, count);
      case RdmaEvent.PortCounter(var device, var name, long count) -> {
        current = port(device);
        if (current != null) {
          if (isAgain(current.looks, name)) {
            look(current.looks, line);
          }
          count(name, count);
        }
      }
    }
  }

  private @Nullable Port port(String device) {
    return ports.size() < MOST_PORTS || ports.containsKey(device)
        ? ports.computeIfAbsent(device, _ -> new Port())
        : null;
  }

  /// Whether the port is read once more. Where each counter is on a line of its own, nothing but a
  /// counter that was read before tells so: the folders `counters` and `hw_counters` may be read
  /// one after the other.
  private boolean isAgain(List<Look> looks, String name) {
    return looks.isEmpty()
        || looks.getLast().time() != time
        || looks.getLast().counters().containsKey(name);
  }

  private void look(List<Look> looks, Evidence line) {
    if (!looks.isEmpty() && looks.getLast().time() == time) {
      time++;
    }
    looks.add(new Look(time, new TreeMap<>(), line));
    if (looks.size() > MOST_LOOKS) {
      looks.removeFirst();
    }
  }

  private void count(String name, long count) {
    if (current != null) {
      current.looks.getLast().counters().put(name, count);
    }
  }

  /// What each port counted from one time to the next, by device. A port is left out if a counter
  /// of it fell: the counter started again, or the file holds several machines whose ports have the
  /// same names.
  public Map<String, List<Gain>> gains() {
    var gains = new TreeMap<String, List<Gain>>();
    ports.forEach(
        (device, port) -> {
          if (!fell(port.looks)) {
            gains.put(device, gains(device, port.looks));
          }
        });
    return gains;
  }

  private static boolean fell(List<Look> looks) {
    for (int i = 1; i < looks.size(); i++) {
      var before = looks.get(i - 1).counters();
      for (var counter : looks.get(i).counters().entrySet()) {
        if (counter.getValue() < before.getOrDefault(counter.getKey(), 0L)) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<Gain> gains(String device, List<Look> looks) {
    var gains = new ArrayList<Gain>();
    for (int i = 1; i < looks.size(); i++) {
      var before = looks.get(i - 1);
      var now = looks.get(i);
      if (now.time() == before.time() + 1) {
        gains.add(new Gain(now.time(), facts(device, before, now), now.line()));
      }
    }
    return gains;
  }

  private static PortFacts facts(String device, Look before, Look now) {
    var gained = new TreeMap<String, Long>();
    now.counters()
        .forEach(
            (name, count) -> gained.put(name, count - before.counters().getOrDefault(name, count)));
    return PortFacts.of(device, packets(gained), gained);
  }

  private static long packets(Map<String, Long> gained) {
    long packets = sum(PortErrorKind.PACKETS, gained);
    long messages = packets > 0 ? packets : sum(MESSAGES, gained);
    return messages > 0 ? messages : sum(WORDS, gained) / WORDS_IN_PACKET;
  }

  private static long sum(List<String> names, Map<String, Long> gained) {
    return names.stream().mapToLong(name -> gained.getOrDefault(name, 0L)).sum();
  }
}
