package io.ringside.streams.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.streams.fact.Fact;
import io.ringside.streams.fact.JobInput;
import io.ringside.streams.fact.LogFacts;
import io.ringside.streams.fact.Writer;
import io.ringside.streams.parse.LineParser;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.state.older.Kept;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;

class StateBytesTest {
  private static final Path LINES = Path.of("src/test/resources");

  private final StateBytes<JobInput> facts = new StateBytes<>(JobInput.class);

  @Test
  void writesEveryEventOfTheFixturesAndReadsItAgain() throws IOException {
    var events = events();

    assertThat(new StateBytes<>(JobInput.class).read(facts.write(chunk(events))))
        .isEqualTo(chunk(events));
    assertThat(events.stream().map(LineEvent::getClass).collect(Collectors.toSet()))
        .hasSizeGreaterThan(60);
  }

  @Test
  void skipsWhatThisVersionDoesNotKeepAndLeavesWhatTheOtherDidNot() {
    var older = new Kept();
    older.byRank.put("a", new Kept.Statement(3, "Socket", List.of(1, 2)));
    older.byRank.put("b", new Kept.Statement(4, "Libfabric", List.of()));

    var newer =
        new StateBytes<>(io.ringside.streams.state.newer.Kept.class)
            .read(new StateBytes<>(Kept.class).write(older));

    assertThat(newer.count).isEqualTo(7);
    assertThat(newer.added).isNull();
    assertThat(newer.alsoAdded).containsExactly(1, 2);
    assertThat(newer.network).isEqualTo(io.ringside.streams.state.newer.Kept.Network.SOCKET);
    assertThat(newer.byRank)
        .containsEntry(
            "a", new io.ringside.streams.state.newer.Kept.Statement(3, "Socket", 0, List.of(1, 2)))
        .hasSize(2);
  }

  /// Its fields may have meant something else, so it is not tried whether they can be read.
  @Test
  void guessesAtNoOtherVersion() throws IOException {
    var written = facts.write(chunk(events().subList(0, 20)));
    var newer = written.clone();
    newer[1]++;

    assertThatThrownBy(() -> facts.read(newer))
        .isInstanceOf(StateVersionMismatch.class)
        .hasMessageContaining("JobInput of version " + newer[1]);
    // as it was written before there were versions
    assertThatThrownBy(() -> facts.read(Arrays.copyOfRange(written, 2, written.length)))
        .isInstanceOf(StateVersionMismatch.class)
        .hasMessageContaining("JobInput of version 1");
  }

  @Test
  void refusesBytesThatAreNone() throws IOException {
    var written = facts.write(chunk(events().subList(0, 20)));
    var random = new SplittableRandom(20_261_121);
    for (int i = 0; i < 20_000; i++) {
      var bytes = Arrays.copyOf(written, 1 + random.nextInt(written.length));
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      assertThatCode(() -> read(bytes)).doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> facts.read(Arrays.copyOf(written, 40)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("JobInput");
  }

  /// Some are readable all the same: a number is another one.
  private void read(byte[] bytes) {
    try {
      facts.read(bytes);
    } catch (SerializationException e) {
      assertThat(e).hasMessageContaining("JobInput");
    }
  }

  private static List<LineEvent> events() throws IOException {
    var events = new ArrayList<LineEvent>();
    try (var files = Files.walk(LINES)) {
      for (var file : files.filter(path -> path.toString().endsWith(".log")).sorted().toList()) {
        for (var line : Files.readAllLines(file)) {
          var text = Text.of(line);
          new LineParser(text).parse(0, text.length(), (_, event, _, _) -> events.add(event));
        }
      }
    }
    return events;
  }

  private static LogFacts chunk(List<LineEvent> events) {
    var source = new LogSource("c", "n", "ns", "p", "uid", "container", "j", "/logs/p.log");
    return new LogFacts(
        source,
        Instant.EPOCH,
        true,
        false,
        2,
        events.size(),
        3,
        0,
        0,
        0,
        Map.of("2.27 x", 2),
        List.of(new Writer("h", 1, 0)),
        events.stream().map(event -> new Fact(0, "0x1", 5, 6, "line", 1, event)).toList(),
        List.of(),
        null);
  }
}
