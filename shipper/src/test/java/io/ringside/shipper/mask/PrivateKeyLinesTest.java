package io.ringside.shipper.mask;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class PrivateKeyLinesTest {
  private static final String LONG =
      "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAlwAAAAdz";

  private final LongAdder masked = new LongAdder();

  @Test
  void hidesTheLinesBetweenBeginAndEnd() {
    var text =
        """
        step 6
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED

        %s
        kyx3
        -----END RSA PRIVATE KEY-----
        step 7"""
            .formatted(LONG);

    assertThat(hidden(text))
        .isEqualTo(
            """
            step 6
            -----BEGIN RSA PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED

            (masked)
            (masked)
            -----END RSA PRIVATE KEY-----
            step 7""");
    assertThat(masked.sum()).isEqualTo(2);
  }

  @Test
  void leavesWhatALauncherWritesBeforeEachLineAndOtherLinesAmongThem() {
    var text =
        "[rank0]: -----BEGIN PRIVATE KEY-----\n[rank0]: %s\n[rank1]: NCCL INFO Init COMPLETE\n[rank0]: ab==\n[rank0]: -----END PRIVATE KEY-----"
            .formatted(LONG);

    assertThat(hidden(text))
        .isEqualTo(
            "[rank0]: -----BEGIN PRIVATE KEY-----\n[rank0]: (masked)\n[rank1]: NCCL INFO Init COMPLETE\n[rank0]: (masked)\n[rank0]: -----END PRIVATE KEY-----");
  }

  @Test
  void hidesAKeyThatTwoChunksShare() {
    assertThat(hidden("x\n-----BEGIN PRIVATE KEY-----\n%s\n%s".formatted(LONG, LONG)))
        .isEqualTo("x\n-----BEGIN PRIVATE KEY-----\n(masked)\n(masked)");
    assertThat(hidden("%s\n%s\nkyx3\n-----END PRIVATE KEY-----\nx y".formatted(LONG, LONG)))
        .isEqualTo("(masked)\n(masked)\n(masked)\n-----END PRIVATE KEY-----\nx y");
  }

  @Test
  void hidesNothingElse() {
    var text =
        "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\nPRIVATE KEY".formatted(LONG);

    assertThat(hidden(text)).isSameAs(text);
    assertThat(masked.sum()).isZero();
  }

  private String hidden(String text) {
    return PrivateKeyLines.hidden(text, masked);
  }
}
