package io.ringside.streams.detect.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.HandMadeLog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines behind which somebody wrote what they mean.
class NotedLinesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Socket",
        "Socket               # ← TCP, the last choice",
        "Socket   <-- here",
        "Socket ← fallback",
        "Socket # no RDMA",
        "Socket    // TCP",
      })
  void areReadWithoutTheNote(String network) {
    var log = new HandMadeLog();
    log.rank(0, 2, 1, network, "NCCL INFO NCCL_IB_DISABLE set by environment to 1.  # ← off");

    assertThat(log.findings())
        .filteredOn(finding -> finding.kind() == FindingKind.SOCKET_TRANSPORT)
        .singleElement()
        .satisfies(
            socket -> {
              assertThat(socket.severity()).isEqualTo(Severity.WARNING);
              assertThat(socket.cause()).contains("NCCL_IB_DISABLE=1");
            });
  }

  /// A name of two words is no note.
  @ParameterizedTest
  @ValueSource(strings = {"AWS Libfabric", "IB"})
  void keepTheirNames(String network) {
    assertThat(new HandMadeLog().rank(0, 2, 1, network).run().network()).isEqualTo(network);
  }
}
