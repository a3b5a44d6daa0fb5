package io.ringside.streams.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.event.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// People cut hosts and pids away before they post a log.
class CutHeadersTest {
  private static final Pattern HEADER =
      Pattern.compile(
          "^(\\[\\d{4}-[^]]*] )?[^ :]+:\\d+:\\d+ (\\[\\d+] )(NCCL INFO (?!.*NCCL INFO).*)");

  @ParameterizedTest
  @ValueSource(strings = {"", "[3] ", "worker-0: ", "[pod/llama-0/trainer] [0] "})
  void sayTheSameWithoutTheirHeader(String front) throws IOException {
    var different = new ArrayList<String>();
    int cut = 0;
    for (var log : GoldenLinesTest.recordings().toList()) {
      for (var line : Files.readAllLines(log)) {
        var header = HEADER.matcher(line);
        var whole = Parsed.of(line);
        if (header.matches()
            && whole.outcome() == Outcome.EVENTS
            && !(whole.events().getLast() instanceof NcclEvent.Spliced)) {
          var bare = Parsed.of(front + header.group(3));
          cut++;
          if (!bare.events().containsAll(whole.events())) {
            different.add(bare.line() + "\n   " + bare.events());
          }
        }
      }
    }
    assertThat(different).isEmpty();
    assertThat(cut).isGreaterThan(200);
  }

  @Test
  void areOfNoHost() {
    assertThat(Parsed.of("[1] NCCL INFO Using network Socket").head()).isEqualTo(NcclHead.CUT_AWAY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "> ", "[3] ", "worker-0: "})
  void sayWhatOnlyNcclSaysWithNothingLeftOfTheirHeader(String front) {
    assertThat(Parsed.of(front + "NET/OFI Selected Provider is tcp (found 2 nics)").event())
        .isEqualTo(new OfiEvent.Provider("tcp", 2));
    assertThat(Parsed.of(front + "Using network Socket").event())
        .isEqualTo(new NcclEvent.NetworkChosen("Socket"));
    assertThat(Parsed.of(front + "Bootstrap : Using eth0:10.0.0.1<0>").event())
        .isEqualTo(new NcclEvent.InterfaceChosen("eth0:10.0.0.1<0>"));
    assertThat(
            Parsed.of(front + "comm 0x3e rank 1 nRanks 16 nNodes 2 localRanks 8 localRank 1")
                .event())
        .isEqualTo(new NcclEvent.CommNodes("0x3e", 2, 8));
    assertThat(Parsed.of(front + "NET/IB : No device found.").head()).isEqualTo(NcclHead.CUT_AWAY);
    assertThat(Parsed.of(front + "Channel 01/0 : 0[0] -> 1[0] [send] via NET/Socket/0").event())
        .isInstanceOf(NcclEvent.Edge.class);
    assertThat(Parsed.of(front + "Channel 00 : 0[1b000] -> 1[1c000] via P2P/IPC").event())
        .isInstanceOf(NcclEvent.Edge.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get_ofi_provider:312",
        "[0] get_ofi_provider:312",
        "int nccl_net_ofi_create_plugin(nccl_net_ofi_plugin_t**):312",
        "[2] misc/ibvwrap.cc:252",
      })
  void warnBehindThePlaceInTheirSource(String place) {
    assertThat(Parsed.of(place + " NCCL WARN NET/OFI No provider").event())
        .isEqualTo(new NcclEvent.Warning("NET/OFI No provider"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Using network eth0",
        "Using network Socket instead of EFA is slow",
        "Using network interface ens5",
        "NET/IB devices were found",
        "Channel 3 : mean 0.31 std 0.12",
        "We saw: NCCL WARN in the log",
      })
  void otherProgramsSayOtherThings(String line) {
    assertThat(Parsed.of(line).events()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Set NCCL_DEBUG=INFO and look for NCCL INFO Using network Socket",
        "grep 'NCCL INFO Using network' log",
        "NCCL INFO is what we ask for here",
        "the NCCL INFO Using network Socket line is missing",
      })
  void whatPeopleWriteAboutThemIsNone(String prose) {
    assertThat(Parsed.of(prose).events()).isEmpty();
  }
}
