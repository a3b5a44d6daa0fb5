package io.ringside.streams.fact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnnamedTest {
  @Test
  void standsInThePlaceOfAName() {
    var second = new Unnamed(128, 2);
    assertThat(Unnamed.of(second.text())).contains(second);
  }

  @Test
  void isToldFromNames() {
    assertThat(Unnamed.of(null)).isEmpty();
    assertThat(Unnamed.of("0xf0769b287463e33e")).isEmpty();
    assertThat(Unnamed.of("?0x55d0/1/7")).isEmpty();
  }
}
