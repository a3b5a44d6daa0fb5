package io.ringside.streams.examine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostNameTest {
  @Test
  void standsInATextAsAWordOfItsOwn() {
    assertThat(HostName.standsIn("nvlink-gpu-1.txt", "gpu-1")).isTrue();
    assertThat(HostName.standsIn("Mar 03 04:11:15 gpu-1 ", "gpu-1")).isTrue();
    assertThat(HostName.standsIn("gpu-10.log", "gpu-1")).isFalse();
    assertThat(HostName.standsIn("bigpu-1.log", "gpu-1")).isFalse();
    assertThat(HostName.standsIn("gpu-1.log", "")).isFalse();
  }
}
