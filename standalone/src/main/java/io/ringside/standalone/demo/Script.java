package io.ringside.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.schemas.event.Nanos;
import io.ringside.shipper.source.gpu.NvidiaSmiCsv;
import io.ringside.standalone.demo.Incident.PodLog;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// All lines and GPU samples of an incident in order of time. Long pauses without any record are
/// shortened for all pods alike; all other intervals stay as recorded, since changing them would
/// change the ranks' waits.
record Script(List<PlayedRecord> scenes) {
  /// The longest pause that is not shortened.
  private static final Duration PAUSE = Duration.ofMillis(500);

  /// How long before the first line GPU samples are included.
  private static final Duration AHEAD = Duration.ofSeconds(1);

  Script {
    scenes = List.copyOf(scenes);
  }

  /// Reads the recording of an incident.
  static Script of(Incident incident) throws IOException {
    List<PlayedRecord> all = new ArrayList<>();
    for (PodLog log : incident.logs()) {
      all.addAll(read(log, incident.lineGap()));
    }
    long first = all.stream().mapToLong(PlayedRecord::nanos).min().orElse(0);
    for (var sample : samples(incident)) {
      if (sample.nanos() >= first - AHEAD.toNanos()) {
        all.add(sample);
      }
    }
    all.sort(Comparator.comparingLong(PlayedRecord::nanos));
    return new Script(shortened(all));
  }

  /// Duration of the play.
  Duration length() {
    return scenes.isEmpty() ? Duration.ZERO : Duration.ofNanos(scenes.getLast().nanos());
  }

  /// Reads a log. Lines with a container runtime's timestamp keep their recorded time, others
  /// follow one another at the line gap.
  private static List<PlayedRecord> read(PodLog log, Duration lineGap) throws IOException {
    List<PlayedRecord> lines = new ArrayList<>();
    try (var text = open(log.resource())) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        int stampEnd = line.indexOf(' ');
        boolean stamped = lineGap.isZero() && stampEnd > 0;
        lines.add(
            stamped
                ? new PlayedRecord.Line(
                    log.folder(),
                    Nanos.of(Instant.parse(line.substring(0, stampEnd))),
                    line.substring(stampEnd + 1))
                : new PlayedRecord.Line(
                    log.folder(), lines.size() * lineGap.toNanos(), "stdout F " + line));
      }
    }
    return lines;
  }

  private static List<PlayedRecord> samples(Incident incident) throws IOException {
    List<PlayedRecord> samples = new ArrayList<>();
    if (incident.gpus().isEmpty()) {
      return samples;
    }
    var csv = new NvidiaSmiCsv("", DemoCommand.NODE, ZoneOffset.UTC);
    try (var text = open(incident.gpus())) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        csv.line(line)
            .ifPresent(sample -> samples.add(new PlayedRecord.Gpus(Nanos.of(sample.at()), sample)));
      }
    }
    csv.finish()
        .ifPresent(sample -> samples.add(new PlayedRecord.Gpus(Nanos.of(sample.at()), sample)));
    return samples;
  }

  private static BufferedReader open(String resource) throws IOException {
    var raw = Script.class.getResourceAsStream("/recordings/" + resource);
    if (raw == null) {
      throw new FileNotFoundException(resource + " is not in the program");
    }
    return new BufferedReader(new InputStreamReader(new GZIPInputStream(raw), UTF_8));
  }

  private static List<PlayedRecord> shortened(List<PlayedRecord> sorted) {
    List<PlayedRecord> shorter = new ArrayList<>(sorted.size());
    long before = sorted.isEmpty() ? 0 : sorted.getFirst().nanos();
    long played = 0;
    for (PlayedRecord scene : sorted) {
      played += Math.min(scene.nanos() - before, PAUSE.toNanos());
      before = scene.nanos();
      shorter.add(scene.at(played));
    }
    return shorter;
  }
}
