package io.ringside.streams.fact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnnamedCommTest {
  @Test
  void standsInThePlaceOfAName() {
    var second = new UnnamedComm(128, 2);
    assertThat(UnnamedComm.of(second.text())).contains(second);
  }

  @Test
  void isToldFromNames() {
    assertThat(UnnamedComm.of(null)).isEmpty();
    assertThat(UnnamedComm.of("0xf0769b287463e33e")).isEmpty();
    assertThat(UnnamedComm.of("?0x55d0/1/7")).isEmpty();
  }
}
