package io.ringside.standalone.analyze;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthTest {
  @TempDir Path folder;

  private final ArrayDeque<Step> steps = new ArrayDeque<>();

  private interface Step {
    void take() throws Exception;
  }

  @Test
  void returnsWhenAFileIsLongerNewOrGoneAndNotBefore() throws Exception {
    var log = Files.writeString(folder.resolve("0.log"), "a\n");
    var growth =
        new Growth(
            List.of(folder),
            () -> {
              try {
                steps.removeFirst().take();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    for (Step change :
        List.<Step>of(
            () -> Files.writeString(log, "b\n", StandardOpenOption.APPEND),
            () -> Files.writeString(folder.resolve("1.log"), ""),
            () -> Files.delete(log))) {
      steps.add(() -> {});
      steps.add(change);
      growth.await();
      assertThat(steps).isEmpty();
    }
  }
}
