package io.ringside.streams.detect.step;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThroughputTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "step 20/4800 res 128 loss 0.57 time 0.215 s/step imgs/s 2377 tok/s 152122 | 152122",
        "step: 10  loss:  6.1  memory: 40.3GiB(50.1%)  tps: 5,856  tflops: 301.2  mfu: 30.4% | 5856",
        "{'loss': 2.1, 'tokens_per_second': 1.5e4} | 15000",
        "iter 10 loss 2.1 | 24,310 tokens/sec | 24310",
        "iteration 10 | TFLOP/s/GPU: 412.5 | 412.5",
        "completed step: 9, seconds: 4.098, TFLOP/s/device: 392.1, Tokens/s/device: 12493.8, loss: 8.8 | 392.1",
        "step 10 time 4.098, tflops below | ",
        "step 10 loss 2.1 samples/s 31.5 | ",
        "maps 10 steps 20 | ",
      })
  void isWhatTheLineSaysOfWorkDone(String text) {
    int bar = text.lastIndexOf('|');
    var expected = text.substring(bar + 1).strip();
    var told = Throughput.of(text.substring(0, bar));

    assertThat(told.isPresent() ? String.valueOf(told.getAsDouble()) : "")
        .isEqualTo(expected.isEmpty() ? "" : String.valueOf(Double.parseDouble(expected)));
  }

  @ParameterizedTest
  @CsvSource({
    "step 1 tok/s 152122, step 9 tok/s 205503, true",
    "step 1 tok/s 152122, step 9 tok/s 150000, true",
    "step 1 tok/s 152122, step 9 tok/s 51000, false",
    "step 1 loss 2.1, step 9 tok/s 51000, false",
    "'seconds: 4.098, TFLOP/s/device: 392', 'seconds: 6.339, TFLOP/s/device: 253', false",
  })
  void heldWhereItDidNotFall(String before, String after, boolean held) {
    assertThat(Throughput.held(before, after)).isEqualTo(held);
  }
}
