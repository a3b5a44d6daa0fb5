package io.ringside.streams.parse.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.loop.JobWords.Sign;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobWordsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1697107698557, \"key\": \"init_start\"}",
        ":::MLL 1560722659.106 init_start: {\"value\": null}",
        "INFO 04-14 08:38:52 api_server.py:840] vLLM API server version 0.7.2",
        "INFO 08-16 02:03:01 [core.py:69] Initializing a V1 LLM engine (v0.10.0) with config: m",
        "[2026-03-27 09:31:17] server_args=ServerArgs(model_path='m', tokenizer_path='m')",
        "Rank 0: Completed store-based barrier for key:store_based_barrier_key:1 with 2 nodes.",
        "Initializing distributed: GLOBAL_RANK: 3, MEMBER: 4/4",
        "I0213 23:07:05.692358  4094 nccl_context.cc:74] init nccl context nranks: 4 local rank: 0",
        "[2024-02-14 15:42:51,337][accelerate.accelerator][INFO] - Since you passed both loaders",
        "[06/06 22:13:54] d2.engine.train_loop INFO: Starting training from iteration 0",
        "[2026-03-02 08:14:05,611] [INFO] [loss_scaler.py:190:update_scale] [deepspeed] OVERFLOW!"
            + " Rank 3 Skipping step. Attempted loss scale: 65536, reducing to 32768",
        "[deepscale] OVERFLOW! Rank 1 Skipping step. Attempted loss scale: 2097152, reducing to"
            + " 1048576.0",
      })
  void knowsTheFirstWordsOfFrameworks(String line) {
    assertThat(sign(line)).isEqualTo(Sign.SURE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2024-11-08 22:23:44,157 - root - INFO -   Avg train loss=0.577775",
        "[main.Trainer][INFO] - iteration index: 100, batch loss: 63.44512176513672",
        "Losses: {'total': 3.21, 'box': 1.10}",
        "0: TRAIN [0][60/922]  Time 0.598 (0.503)  Loss/tok 8.4761 (9.1138)  LR 8.148e-05",
        "s:9779 trl:3.4410 lr:0.000318 norm:0.26",
        "Time taken for epoch 1 is 61.425346 sec, avg 8.335321 samples/sec",
        "speed: 253.1 images/sec",
        "Tok/s 16953 (15977)",
        "tokens/s: 5,856",
      })
  void takesLossesAndRatesForLikely(String line) {
    assertThat(sign(line)).isEqualTo(Sign.LIKELY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Installing glossary 1.2.3",
        "4 packets transmitted, 4 received, 0% packet loss, time 3004ms",
        "the link crosses 2.5 m",
        "loss_scale ................... 1.0",
        "wrote 120.5 MB/s",
        "see https://example.com/tokens/settings",
        "Collecting accelerate.accelerator",
        "RuntimeWarning: overflow encountered in exp",
        "loss scale overflow is handled by deepspeed",
      })
  void takesOtherTextForNothing(String line) {
    assertThat(sign(line)).isEqualTo(Sign.NONE);
  }

  @Test
  void readsOnlyTheBeginningOfAVeryLongLine() {
    var rest = " x".repeat(500);
    assertThat(sign("loss: 0.5" + rest)).isEqualTo(Sign.NONE);
    assertThat(sign("Initializing a V0 LLM engine (v0.9.2) with config: " + rest))
        .isEqualTo(Sign.SURE);
  }

  private static Sign sign(String line) {
    var text = Text.of(line);
    return JobWords.of(text, 0, text.length());
  }
}
