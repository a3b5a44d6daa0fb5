package io.ringside.streams.detect.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.streams.detect.HandMadeLog;
import org.junit.jupiter.api.Test;

/// Machines that NVLink joins, as GB200 racks: NCCL chooses a network all the same.
class NvlinkBetweenNodesTest {
  private static final int RANKS = 4;
  private static final int OF_A_HOST = 2;

  @Test
  void carriesWhatTheNamedSocketsDoNot() {
    assertThat(told("P2P/MNNVL").findings())
        .extracting(Finding::kind)
        .doesNotContain(FindingKind.SOCKET_TRANSPORT);
  }

  @Test
  void isNotWhatJoinsRacksWhoseEdgesAreSockets() {
    assertThat(told("NET/Socket/0").findings())
        .filteredOn(finding -> finding.kind() == FindingKind.SOCKET_TRANSPORT)
        .singleElement()
        .satisfies(finding -> assertThat(finding.ranks()).contains(1, 3));
  }

  private static HandMadeLog told(String between) {
    var log = new HandMadeLog();
    for (int rank = 0; rank < RANKS; rank++) {
      log.rank(rank, RANKS, OF_A_HOST, "Socket");
    }
    for (int rank = 0; rank < RANKS; rank++) {
      log.edge(rank, RANKS, OF_A_HOST, rank % OF_A_HOST == 0 ? "P2P/CUMEM" : between);
    }
    for (int rank = 0; rank < RANKS; rank++) {
      log.up(rank, RANKS, OF_A_HOST);
    }
    return log;
  }
}
