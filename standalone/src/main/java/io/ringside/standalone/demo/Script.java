package io.ringside.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.Nanos;
import io.ringside.standalone.demo.Incident.PodLog;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// All lines of an incident in the order of time. Pauses in which nobody printed anything are
/// shortened for all pods alike; every other distance stays as it was recorded, or the waits of ranks
/// would be no longer what they were.
record Script(List<PlayedLine> lines) {
  /// The longest pause that is played as it was.
  private static final Duration PAUSE = Duration.ofMillis(500);

  Script {
    lines = List.copyOf(lines);
  }

  /// Reads the recording of an incident.
  static Script of(Incident incident) throws IOException {
    List<PlayedLine> all = new ArrayList<>();
    for (PodLog log : incident.logs()) {
      all.addAll(read(log, incident.lineGap()));
    }
    all.sort(Comparator.comparingLong(PlayedLine::nanos));
    return new Script(shortened(all));
  }

  /// How long it plays.
  Duration length() {
    return lines.isEmpty() ? Duration.ZERO : Duration.ofNanos(lines.getLast().nanos());
  }

  /// Lines with a stamp of the container runtime get their recorded time, others come one after the
  /// other.
  private static List<PlayedLine> read(PodLog log, Duration lineGap) throws IOException {
    List<PlayedLine> lines = new ArrayList<>();
    try (var raw = Script.class.getResourceAsStream("/recordings/" + log.resource())) {
      if (raw == null) {
        throw new FileNotFoundException(log.resource() + " is not in the program");
      }
      var text = new BufferedReader(new InputStreamReader(new GZIPInputStream(raw), UTF_8));
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        int stampEnd = line.indexOf(' ');
        boolean stamped = lineGap.isZero() && stampEnd > 0;
        lines.add(
            stamped
                ? new PlayedLine(
                    log.folder(),
                    Nanos.of(Instant.parse(line.substring(0, stampEnd))),
                    line.substring(stampEnd + 1))
                : new PlayedLine(
                    log.folder(), lines.size() * lineGap.toNanos(), "stdout F " + line));
      }
    }
    return lines;
  }

  private static List<PlayedLine> shortened(List<PlayedLine> sorted) {
    List<PlayedLine> shorter = new ArrayList<>(sorted.size());
    long before = sorted.isEmpty() ? 0 : sorted.getFirst().nanos();
    long played = 0;
    for (PlayedLine line : sorted) {
      played += Math.min(line.nanos() - before, PAUSE.toNanos());
      before = line.nanos();
      shorter.add(new PlayedLine(line.folder(), played, line.text()));
    }
    return shorter;
  }
}
