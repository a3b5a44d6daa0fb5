package io.ringside.standalone.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ScreenTest {
  @Test
  void hasColoursAndBlocksOnATerminalOnly() {
    assertThat(Screen.of(Map.of(), true)).isEqualTo(new Screen(100, true, true));
    assertThat(Screen.of(Map.of(), false)).isEqualTo(Screen.PLAIN);
  }

  @Test
  void honoursNoColorButNotAnEmptyOne() {
    assertThat(Screen.of(Map.of("NO_COLOR", "1"), true)).isEqualTo(new Screen(100, false, true));
    assertThat(Screen.of(Map.of("NO_COLOR", ""), true).colour()).isTrue();
  }

  @Test
  void takesTheWidthFromColumnsWithinReason() {
    assertThat(Screen.of(Map.of("COLUMNS", "120"), true).width()).isEqualTo(120);
    assertThat(Screen.of(Map.of("COLUMNS", "7"), true).width()).isEqualTo(60);
    assertThat(Screen.of(Map.of("COLUMNS", "9999"), true).width()).isEqualTo(160);
    assertThat(Screen.of(Map.of("COLUMNS", "wide"), true).width()).isEqualTo(100);
  }
}
