package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import io.ringside.shipper.config.ShipperConfig;
import io.ringside.shipper.mask.Masking;
import io.ringside.streams.parse.LineParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// Masks hide nothing that a detector reads: lines say the same before and after.
class MaskedRecordingsTest {
  @Test
  void saysTheSameWithoutItsSecrets() throws IOException {
    var masking =
        new Masking(
            ShipperConfig.read(null, Map.of("node", "n"), _ -> null).masks(), new LongAdder());
    long lines = 0;
    var changed = new ArrayList<String>();
    for (var file : logs()) {
      var text = text(file);
      assertThat(events(masking.of(text))).as(file.toString()).isEqualTo(events(text));
      lines += text.lines().count();
      text.lines()
          .filter(line -> !line.contains("HF_TOKEN=hf_secret")) // one that was put there
          .filter(line -> !masking.of(line).equals(line))
          .forEach(changed::add);
    }
    assertThat(lines).isGreaterThan(10_000);
    assertThat(changed).isEmpty();
  }

  private static List<String> events(String text) {
    var events = new ArrayList<String>();
    var lines = Text.of(text);
    var parser = new LineParser(lines);
    for (int start = 0; start < lines.length(); ) {
      int end = parser.lineEnd(start);
      parser.parse(start, end, (head, event, _, _) -> events.add(head + " " + event));
      start = end + 1;
    }
    return events;
  }

  private static List<Path> logs() throws IOException {
    var all = new ArrayList<Path>();
    for (var folder :
        List.of(
            "../examples/recordings",
            "../streams-app/src/test/resources/nccl",
            "../streams-app/src/test/resources/frameworks")) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        files.filter(file -> file.toString().matches(".*\\.log(\\.gz)?")).forEach(all::add);
      }
    }
    return all;
  }

  private static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
      return new String(plain.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
