package io.ringside.streams.expect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.platform.config.InvalidConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpectationsFileTest {
  private static final Duration POLL = Duration.ofMillis(10);

  @TempDir Path folder;

  @Test
  void isReadAgainWhenItsContentChanges() throws IOException {
    var file = write("thresholds: {straggler: {episodes: 20}}");
    try (var watched = ExpectationsFile.watched(file, POLL, InstantSource.system())) {
      assertThat(watched.get().thresholds().straggler().episodes()).isEqualTo(20);

      write("thresholds: {straggler: {episodes: 30}}");

      await(() -> watched.get().thresholds().straggler().episodes() == 30);
      assertThat(watched.status().applied()).isEqualTo(1);
      assertThat(watched.status().refused()).isNull();
    }
  }

  @Test
  void keepsTheOldOnesWhileTheFileIsWrong() throws IOException {
    var file = write("thresholds: {straggler: {episodes: 20}}");
    try (var watched = ExpectationsFile.watched(file, POLL, InstantSource.system())) {
      write("thresholds: {straggler: {episodes: none}}");

      await(() -> watched.status().refusals() == 1);
      assertThat(watched.get().thresholds().straggler().episodes()).isEqualTo(20);
      assertThat(watched.status().refused())
          .contains("thresholds.straggler.episodes cannot be 'none': must be a whole number");

      Files.delete(file);
      await(() -> watched.status().refusals() == 2);
      assertThat(watched.status().refused()).contains("there is no such file");

      write("thresholds: {straggler: {episodes: 40}}");
      await(() -> watched.status().refused() == null);
      assertThat(watched.get().thresholds().straggler().episodes()).isEqualTo(40);
    }
  }

  @Test
  void isRefusedAtTheStart() throws IOException {
    var file = write("treshold: {}");

    assertThatThrownBy(() -> ExpectationsFile.watched(file, POLL, InstantSource.system()))
        .isInstanceOf(InvalidConfig.class)
        .hasMessageContaining("treshold is not a known key");
  }

  @Test
  void needNotBe() {
    try (var watched = ExpectationsFile.watched(null, POLL, InstantSource.system())) {
      assertThat(watched.get()).isEqualTo(Expectations.builtIn());
    }
  }

  /// As an editor does and as Kubernetes does: the new content appears at once.
  private Path write(String content) throws IOException {
    var next = Files.writeString(folder.resolve("next"), content);
    return Files.move(
        next,
        folder.resolve("expectations.yaml"),
        java.nio.file.StandardCopyOption.ATOMIC_MOVE,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }
}
