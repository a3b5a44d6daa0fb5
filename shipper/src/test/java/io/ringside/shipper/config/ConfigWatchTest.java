package io.ringside.shipper.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatchTest {
  @TempDir private Path folder;
  private final ReloadCounts counts = new ReloadCounts();
  private final List<ShipperConfig> taken = new ArrayList<>();
  private Path file;
  private ConfigWatch watch;

  @BeforeEach
  void startWithAFile() throws IOException {
    file = folder.resolve("shipper.yaml");
    write("logs: {globs: [/a/*.log]}");
    var first = read();
    watch =
        new ConfigWatch(
            file,
            this::read,
            fresh -> {
              taken.add(fresh);
              return first.needRestart(fresh).isEmpty();
            },
            Duration.ofSeconds(5),
            counts,
            System::nanoTime);
  }

  @Test
  void takesOverWhatChangedOnce() throws IOException {
    watch.look();
    assertThat(taken).isEmpty();
    write("logs: {globs: [/b/*.log]}");
    watch.look();
    watch.look();
    assertThat(taken).hasSize(1);
    assertThat(taken.getFirst().logs().globs()).containsExactly("/b/*.log");
    assertThat(counts.taken.sum()).isEqualTo(1);
    assertThat(counts.stale).isFalse();
  }

  @Test
  void keepsTheOldOneWhenTheNewOneIsWrongAndSaysSoOnce() throws IOException {
    write("logs: {globs: [/b/*.log], pol: 1s}");
    watch.look();
    watch.look();
    assertThat(taken).isEmpty();
    assertThat(counts.refused.sum()).isEqualTo(1);
    assertThat(counts.stale).isTrue();
    write("logs: {globs: [/b/*.log], poll: 1s}");
    watch.look();
    assertThat(taken).hasSize(1);
    assertThat(counts.stale).isFalse();
  }

  @Test
  void refusesLimitsThatDoNotFitTogetherBeforeAnythingChanges() throws IOException {
    write("logs: {poll: 10s, scan: 1s}");
    watch.look();
    write("logs: {lineBytes: 3}");
    watch.look();
    assertThat(taken).isEmpty();
    assertThat(counts.refused.sum()).isEqualTo(2);
  }

  @Test
  void aFileThatVanishedChangesNothing() throws IOException {
    Files.delete(file);
    watch.look();
    assertThat(taken).isEmpty();
    assertThat(counts.refused.sum()).isEqualTo(1);
  }

  @Test
  void saysThatTheFileAndWhatIsInForceDifferWhereARestartIsNeeded() throws IOException {
    write("http: {port: 1}\nkafka: {linger.ms: '5'}");
    watch.look();
    assertThat(counts.stale).isTrue();
    var first = ShipperConfig.read(null, Map.of("node", "n"), name -> null);
    assertThat(first.needRestart(read())).containsExactly("kafka", "http");
    var mixed = first.withReloadable(taken.getFirst());
    assertThat(mixed.kafka()).isEqualTo(first.kafka());
    assertThat(mixed.http()).isEqualTo(first.http());
  }

  private ShipperConfig read() {
    return ShipperConfig.read(file, Map.of("node", "n"), name -> null);
  }

  private void write(String yaml) throws IOException {
    Files.writeString(file, yaml);
  }
}
