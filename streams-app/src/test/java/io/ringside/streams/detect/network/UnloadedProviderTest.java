package io.ringside.streams.detect.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import io.ringside.streams.recorded.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnloadedProviderTest {
  private static final String ABI =
      "libibverbs: Warning: Driver bnxt_re does not support the kernel ABI of 8 (supports 1 to 1) for device /sys/class/infiniband/roce0";

  private static final String NONE = "NCCL INFO NET/IB : No device found.";

  @ParameterizedTest
  @ValueSource(
      strings = {
        ABI,
        "[1,0]<stderr>:" + ABI,
        "libibverbs: Warning: no userspace device-specific driver found for /sys/class/infiniband_verbs/uverbs0",
      })
  void isAFallbackWhereTheRunSpansHosts(String warning) {
    var log = new HandMadeLog().line(warning);
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Socket", NONE).up(rank, 2, 1).edge(rank, 2, 1, "NET/Socket/0");
    }

    assertThat(NetworkFallbackTest.fallbacks(log))
        .singleElement()
        .satisfies(
            fallback -> {
              assertThat(fallback.kind()).isEqualTo(FindingKind.NETWORK_FALLBACK);
              assertThat(fallback.severity()).isEqualTo(Severity.CRITICAL);
              assertThat(fallback.cause()).contains("libibverbs");
              assertThat(fallback.evidence().getFirst().text()).isEqualTo(warning);
            });
  }

  @Test
  void isANoteOnOneHost() {
    var log = new HandMadeLog().line(ABI);
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 2, "Socket", NONE).up(rank, 2, 2).edge(rank, 2, 2, "P2P/CUMEM");
    }

    assertThat(NetworkFallbackTest.fallbacks(log))
        .singleElement()
        .satisfies(
            fallback -> {
              assertThat(fallback.severity()).isEqualTo(Severity.INFO);
              assertThat(fallback.summary()).contains("does not need it");
            });
  }

  /// An excerpt of which somebody cut the headers away.
  @Test
  void isANoteWhereNothingTellsOfHosts() {
    assertThat(
            Recorded.of(Map.of("job.log", List.of(ABI, NONE, "NCCL INFO Using network Socket")))
                .judged()
                .findings())
        .singleElement()
        .satisfies(
            fallback -> {
              assertThat(fallback.kind()).isEqualTo(FindingKind.NETWORK_FALLBACK);
              assertThat(fallback.severity()).isEqualTo(Severity.INFO);
              assertThat(fallback.summary()).contains("the log does not say");
            });
  }

  /// A management card without its library, on a machine whose other cards work.
  @Test
  void isNothingWhereAnotherCardWorks() {
    var log = new HandMadeLog().line(ABI);
    for (int rank = 0; rank < 2; rank++) {
      log.rank(
              rank,
              2,
              1,
              "IB",
              "NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>")
          .up(rank, 2, 1)
          .edge(rank, 2, 1, "NET/IB/0/GDRDMA");
    }

    assertThat(NetworkFallbackTest.fallbacks(log)).isEmpty();
  }

  @Test
  void isNothingWhereEfaIsUsed() {
    var log =
        new HandMadeLog()
            .line(
                "libibverbs: Warning: Driver efa does not support the kernel ABI of 2 (supports 1 to 1) for device /sys/class/infiniband/efa_0");
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Libfabric", NONE)
          .up(rank, 2, 1)
          .edge(rank, 2, 1, "NET/Libfabric/0/GDRDMA");
    }

    assertThat(NetworkFallbackTest.fallbacks(log)).isEmpty();
  }

  @Test
  void isWhatSomebodyWantedWhereItIsForbidden() {
    var log = new HandMadeLog().line(ABI);
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 1, "Socket", NONE, "NCCL INFO NCCL_IB_DISABLE set by environment to 1.")
          .up(rank, 2, 1)
          .edge(rank, 2, 1, "NET/Socket/0");
    }

    assertThat(NetworkFallbackTest.fallbacks(log))
        .singleElement()
        .satisfies(
            socket -> {
              assertThat(socket.kind()).isEqualTo(FindingKind.SOCKET_TRANSPORT);
              assertThat(socket.cause()).contains("NCCL_IB_DISABLE=1");
            });
  }

  /// What images print on machines that have no card at all: libraries that are listed and not
  /// there.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "libibverbs: Warning: couldn't load driver 'libmlx4-rdmav34.so': libmlx4-rdmav34.so: cannot open shared object file: No such file or directory",
        "libibverbs: Warning: couldn't open config directory '/etc/libibverbs.d'."
      })
  void isNothingWhereNoCardIsNamed(String warning) {
    var log = new HandMadeLog().line(warning);
    for (int rank = 0; rank < 2; rank++) {
      log.rank(rank, 2, 2, "Socket", NONE).up(rank, 2, 2).edge(rank, 2, 2, "P2P/CUMEM");
    }

    assertThat(log.findings()).isEmpty();
  }
}
