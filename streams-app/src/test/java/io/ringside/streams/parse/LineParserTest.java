package io.ringside.streams.parse;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import io.ringside.streams.parse.event.LineOrigin;
import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.NcclEvent.Phase;
import io.ringside.streams.parse.event.NcclHead;
import io.ringside.streams.parse.event.Outcome;
import io.ringside.streams.parse.event.TorchEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import io.ringside.streams.parse.event.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The traps of the formats, one by one.
class LineParserTest {

  @Test
  void readsTheHeaderOfAStampedWarningWithACxxSignature() {
    var parsed =
        Parsed.of(
            "[2025-12-28 16:04:25] llama-3-8b-node-0-0:152:386 [0] int nccl_net_ofi_create_plugin("
                + "nccl_net_ofi_plugin_t**):259 NCCL WARN NET/OFI Unable to find a protocol that"
                + " worked.  Failing initialization.");
    assertThat(parsed.head())
        .isEqualTo(
            new NcclHead(
                "llama-3-8b-node-0-0",
                152,
                386,
                Instant.parse("2025-12-28T16:04:25Z").getEpochSecond() * 1_000_000_000L,
                0));
    assertThat(parsed.event())
        .isEqualTo(
            new NcclEvent.Warning(
                "NET/OFI Unable to find a protocol that worked.  Failing initialization."));
  }

  @Test
  void readsAWarningBehindTheFunctionThatNccl230Names() {
    var parsed =
        Parsed.of("h:1:2 [3] transport/net.cc:12 (ncclNetInit) NCCL WARN Bootstrap : no socket");
    assertThat(parsed.event()).isEqualTo(new NcclEvent.Warning("Bootstrap : no socket"));
  }

  @Test
  void readsFractionsOfAStampDownToNanoseconds() {
    assertThat(Parsed.of("[2025-12-28 16:04:25.5] h:1:2 [0] NCCL INFO Using network IB").head())
        .returns(1, NcclHead::stampDigits)
        .returns(
            Instant.parse("2025-12-28T16:04:25.5Z").toEpochMilli() * 1_000_000L,
            NcclHead::stampNanos);
  }

  @Test
  void doesNotTakeACollectorsStampForNcclsOwn() {
    assertThat(
            Parsed.of("2024-12-04T05:27:44.079Z h:1:2 [0] NCCL INFO Using network IB")
                .head()
                .stamped())
        .isFalse();
  }

  @Test
  void readsHelperThreadsThatHaveNoDevice() {
    assertThat(Parsed.of("h:1:2 [-1] NCCL INFO Using network IB").head().tid()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "101d0, 0000:10:1d.0",
    "b000, 0000:0b:00.0",
    "80, 0000:00:08.0",
    "abcde09000, abcde:09:00.0",
    "f, 0000:00:00.f"
  })
  void unpacksBusIds(String packed, String expected) {
    assertThat(NcclEvent.busId(Long.parseLong(packed, 16))).isEqualTo(expected);
  }

  @Test
  void readsASplitLineThatLacksTheBlankBeforeItsDash() {
    var init =
        (NcclEvent.CommInit)
            Parsed.of(
                    "h:188:706 [0] NCCL INFO ncclCommSplit comm 0x556d50e02a40 rank 0 nranks 4"
                        + " cudaDev 0 nvmlDev 0 busId 101d0 parent 0x556d504b7460 splitCount 1"
                        + " color 2003953581 key 0- Init START")
                .event();
    assertThat(init.phase()).isEqualTo(Phase.START);
    assertThat(init.parent()).isEqualTo("0x556d504b7460");
    assertThat(init.commId()).isNull();
    assertThat(init.splitCount()).isEqualTo(1);
    assertThat(init.color()).isEqualTo(2003953581);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "comm 0x55 rank 1 nranks 2 cudaDev 0 busId c1000 used 27440 bytes - Init COMPLETE",
        "comm 0x55 rank 1 nranks 2 cudaDev 0 busId c1000 localSize 0 used 27440 bytes - Init COMPLETE",
        "ncclCommInitRank comm 0x55 rank 1 nranks 2 cudaDev 0 nvmlDev 0 busId c1000 commId 0xf0 localSize 384 used 27440 bytes on core 24 - Init COMPLETE"
      })
  void readsPastTheMemoryThatRcclTook(String message) {
    var init = (NcclEvent.CommInit) Parsed.of("h:1:2 [0] NCCL INFO " + message).event();
    assertThat(init.phase()).isEqualTo(Phase.COMPLETE);
    assertThat(init.busId()).isEqualTo("0000:c1:00.0");
    assertThat(init.rank()).isEqualTo(1);
  }

  @Test
  void tellsARingFromAnEdgeAlthoughBothBeginAlike() {
    assertThat(Parsed.of("h:1:2 [0] NCCL INFO Channel 00/02 : 0[0] -> 1[1] via P2P/CUMEM").event())
        .isInstanceOf(NcclEvent.Edge.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Channel 00/02 : 0 1 2 3",
        "Channel 00/24 : 0",
        "Channel 00/02 : 0 1 2 3 4 5 6 7 8 9 10 11 12 -1 14 15",
        "Channel 03/04 :  0  7 ...",
        "Channel 03/04 :    0   1   2   3",
      })
  void ignoresRings(String ring) {
    var parsed = Parsed.of("h:1:2 [0] NCCL INFO " + ring);

    assertThat(parsed.events()).isEmpty();
    assertThat(parsed.outcome()).isEqualTo(Outcome.IGNORED);
  }

  @ParameterizedTest
  @CsvSource({
    "NET/AWS Libfabric/0(3)/GDRDMA(PCI)/Shared, AWS Libfabric, true",
    "NET/Socket/0, Socket, false",
    "NET/IBext_v8/2/GDRDMA, IBext_v8, true"
  })
  void readsNetEdges(String via, String network, boolean gdr) {
    var edge =
        (NcclEvent.Edge)
            Parsed.of("h:1:2 [0] NCCL INFO Channel 00/0 : 3[0] -> 0[0] [receive] via " + via)
                .event();
    assertThat(edge.transport()).isEqualTo(new Transport.Net(network, gdr));
  }

  @Test
  void believesNothingOfALineThatASecondOneCutShort() {
    var parsed =
        Parsed.of("h:1:2 [2] NCCL INFO Using network Soch:3:4 [7] NCCL INFO Using network IB");
    assertThat(parsed.events())
        .containsExactly(new NcclEvent.Spliced(), new NcclEvent.NetworkChosen("IB"));
    assertThat(parsed.heads().getLast()).returns("h", NcclHead::host).returns(3, NcclHead::pid);
  }

  @Test
  void believesNoHostThatIsGluedToAnotherLine() {
    assertThat(
            Parsed.of(
                    "node-0:1:2 [2] NCCL INFO AllReduce: opCount 0 sen0:3:4 [7] NCCL INFO Using"
                        + " network IB")
                .events())
        .containsExactly(new NcclEvent.Spliced());
  }

  /// Those ignored begin like one that is read, and are told apart by what follows.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "NCCL_SHM_DISABLE set to 1",
        "Comm config CTAPolicy reset to NCCL_CTA_POLICY=2",
        "NET/Custom something of its own",
        "CC Off, workFifoBytes 1048576",
        "threadThresholds 8/8/64 | 32/8/64 | 512 | 512",
        "NET/Plugin: Failed to find ncclCollNetPlugin_v8 symbol."
      })
  void ignoresWhatIsKnownAndOfNoUse(String message) {
    assertThat(Parsed.of("h:1:2 [0] NCCL INFO " + message))
        .returns(Outcome.IGNORED, Parsed::outcome)
        .returns(List.of(), Parsed::events);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Training ━━━━━━━━━━ 412/2000 0:33:00 loss: 2.588; 412; 2000; 1980; Training",
        "Epoch 3/9  ━━━━╸━━━━━ 120/500 0:00:32 • 0:01:41 3.75it/s v_num: 0; 120; 500; 32; Epoch 3/9",
        "⠹ Training: ╺━━━━━━━━━  20% 400/2000 4.2it/s 1 day, 2:03:04; 400; 2000; 93784; Training",
        "worker-0: Training ━━━━━━━━━━   5/2000 03:00; 5; 2000; 180; Training",
        "Training \u001b[35m━━\u001b[0m\u001b[37m━━━\u001b[0m 9/50 0:01:00; 9; 50; 60; Training"
      })
  void readsABarOfRich(String line, long done, long total, long seconds, String description) {
    assertThat(Parsed.of(line).event())
        .isEqualTo(new TrainerEvent.Progress(done, total, seconds, description));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 797/797 MB 3.1 MB/s eta 0:00:00",
        "torch ━━━━━━━━━━━━━━━━━━━━━━ 412/797 MB 3.1 MB/s 0:00:41",
        "torch ━━━━━━━━━━━━━━━━━━━━━━ 412/797.2 MB 0:00:41",
        "Working... ━━━━━━━━━━━━━━━━━  20% 0:00:12",
        "Training ━━━━━━━━━━━━━━━━━━━ 412/2000 -:--:--",
        "━━━━━━━━━━━━━━━━━━━ 412/2000 0:00:12",
        "Training ━",
        "Naïve step ║ 412/2000 0:00:12"
      })
  void readsNoBarOfRichInOthers(String line) {
    assertThat(Parsed.of(line).events()).isEmpty();
  }

  @Test
  void readsCountsOfABarWithAndWithoutAUnit() {
    assertThat(Parsed.of(" 6%|▌    | 86/1722 [40:17<14:54:42, 37.20s/it]").event())
        .isEqualTo(new TrainerEvent.Progress(86, 1722, 2417, ""));
    assertThat(Parsed.of(" 6%|▌    | 1.2k/3.40M [00:58<15:21, 4.00it/s]").event())
        .isEqualTo(new TrainerEvent.Progress(1200, 3_400_000, 58, ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MA 14.96 GB         Max_MA 14.96 B         CA 15.08 GB         Max_CA 15 GB ",
        "MA 14.96 GB         Max_MA 14.96 GB         CA 15.0",
        "CPU Virtual Memory:  used = 5.7used = 16.78 GB, percent = 1.2%"
      })
  void readsNoMemoryFromADamagedLine(String line) {
    assertThat(Parsed.of(line).events()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "h:1:2 [0] NCCL INFO AllReduce: opCount 0 sendbuff 0x7f00 recvb",
        "h:1:2 [0] NCCL INFO AllReduce: opCoount 1024 datatype 9 op 0 root 0 comm 0x27 [nranks=4]"
            + " stream (nil)",
        "h:1:2 [0] NCCL INFO cvbuff 0x7f84 count 8 datatype 9 op 0 root 0 comm 0x27 [nranks=4]"
            + " stream (nil)",
        "h:1:2 [0] NCCL INFO Connected to pro",
        "h:1:2 [0] NCCL INFO CC Off, workFi",
        "h:1:2 [0] NCCL INFO NCCL_SOCKET_IFN",
        "h:1:2 [0] [1] NCCL INFO AllGather: opCount 0"
      })
  void countsWhatWasCutAsSplicedAndNotAsUnknown(String line) {
    assertThat(Parsed.of(line).events()).containsExactly(new NcclEvent.Spliced());
  }

  @Test
  void keepsIntegersWithoutTheFullStopThatNcclPutsBehindThem() {
    assertThat(Parsed.of("h:1:2 [0] NCCL INFO NCCL_BUFFSIZE set by environment to -2.").event())
        .isEqualTo(new NcclEvent.EnvironmentSet("NCCL_BUFFSIZE", "-2", false));
    assertThat(
            Parsed.of("h:1:2 [0] NCCL INFO NCCL_SOCKET_IFNAME set by environment to ^lo,eth.")
                .event())
        .isEqualTo(new NcclEvent.EnvironmentSet("NCCL_SOCKET_IFNAME", "^lo,eth.", false));
  }

  @Test
  void readsTheEmptyListOfIbDevicesAsEmpty() {
    assertThat(Parsed.of("h:1:2 [0] NCCL INFO NET/IB : Using [RO]; OOB eth0:10.0.0.1<0>").event())
        .isEqualTo(new NcclEvent.NetDevices("IB", java.util.List.of()));
    assertThat(Parsed.of("h:1:2 [0] NCCL INFO NET/IB : Using ; OOB eth0:10.0.0.1<0>").event())
        .isEqualTo(new NcclEvent.NetDevices("IB", java.util.List.of()));
  }

  @Test
  void readsEachCallWithASharedName() {
    var line =
        "h:1:2 [0] NCCL INFO Send: opCount 1f sendbuff (nil) recvbuff 0x7f00 count 12 datatype 7 op"
            + " 0 root 5 comm 0xabc [nranks=8] stream 0x1";
    var first = (NcclEvent.Collective) Parsed.of(line).event();
    var second = (NcclEvent.Collective) Parsed.of(line).event();
    assertThat(first).isEqualTo(new NcclEvent.Collective("Send", "0xabc", 12, 7, 5, 0x1f, 8));
    assertThat(first.op()).isSameAs(second.op());
  }

  @Test
  void hasAnUnknownMessageCountedByItsShape() {
    var line = "h:1:2 [0] NCCL INFO Frobnicating 12 GPUs at 0x7f00 over 'mlx5_0'";
    assertThat(Parsed.of(line).outcome()).isEqualTo(Outcome.UNKNOWN_NCCL);
    assertThat(Shapes.of(Text.of(line), 0, line.length()))
        .isEqualTo("Frobnicating # GPUs at 0x# over '*'");
  }

  @Test
  void hasAKnownBeginningWithAnUnknownRestCountedToo() {
    assertThat(
            Parsed.of("h:1:2 [0] NCCL INFO comm 0x55 rank 0 nranks 2 moon 7 - Init COMPLETE")
                .outcome())
        .isEqualTo(Outcome.UNKNOWN_NCCL);
  }

  @Test
  void takesNoProseForALogLine() {
    assertThat(Parsed.of("* NCCL INFO NET/OFI Selected Provider is efa").outcome())
        .isEqualTo(Outcome.FOREIGN);
    assertThat(Parsed.of("look for [send] via NET/Socket/0 in the log").outcome())
        .isEqualTo(Outcome.FOREIGN);
  }

  /// A terminal wraps them, a paste cuts them.
  @Test
  void readsWhatIsLeftOfATornWatchdogLine() {
    var begin =
        "[E1120 20:30:39.754865337 ProcessGroupNCCL.cpp:629] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=";

    assertThat(Parsed.of(begin + "91, OpType=ALLREDUCE, NumelIn=100,").event())
        .isEqualTo(new TorchEvent.WatchdogTimeout(3, 91, "ALLREDUCE", -1, -1, -1, ""));
    assertThat(Parsed.of(begin + "91, OpType=ALLRE").event())
        .isEqualTo(new TorchEvent.WatchdogTimeout(3, 91, "", -1, -1, -1, ""));
    assertThat(Parsed.of(begin + "9").event())
        .isEqualTo(new TorchEvent.WatchdogTimeout(3, -1, "", -1, -1, -1, ""));
  }

  @Test
  void handsTheWrappersRankOverBeforeTheLinesOwnEvent() {
    assertThat(Parsed.of("[1,26]<stdout>:h:1:2 [0] NCCL INFO Using network IB").events())
        .containsExactly(new LineOrigin(-1, 26, NO_TIME, 0), new NcclEvent.NetworkChosen("IB"));
  }

  @Test
  void findsTheBarTheDictAndTheWarningInOneLine() {
    var events =
        Parsed.of(
                "\r  6%|▌   | 3/50 [00:58<15:21, 19.61s/it]\r        \r{'loss': '0.85'}\r"
                    + "  8%|▊   | 4/50 [01:18<15:01, 19.61s/it][rank1]:[E1120 20:50:31.282120987"
                    + " ProcessGroupNCCL.cpp:1] [Rank 1] To avoid data inconsistency, we are taking"
                    + " the entire process down.")
            .events();
    assertThat(events)
        .hasExactlyElementsOfTypes(
            TrainerEvent.Progress.class,
            TrainerEvent.Metrics.class,
            TrainerEvent.Progress.class,
            LineOrigin.class,
            TorchEvent.TakenDown.class);
  }

  @Test
  void keepsTheEnvironmentOutOfWhatProvesANcclTestsReport() throws IOException {
    var report =
        Files.readAllLines(Path.of("src/test/resources/frameworks/nccl-tests-json.log")).getFirst();
    var text = Text.of(report);
    var proofs = new ArrayList<String>();
    new LineParser(text)
        .parse(0, text.length(), (head, event, from, to) -> proofs.add(text.substring(from, to)));
    assertThat(report).contains("hf_secret");
    assertThat(proofs).hasSize(6).noneMatch(proof -> proof.contains("hf_secret"));
  }

  /// A header and a transport are remembered from line to line: what a line means must not depend
  /// on that.
  @Test
  void readsALineTheSameWhateverStoodBefore() {
    var lines =
        List.of(
            "host-a:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM",
            "host-a:1:2 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM",
            "host-a:1:2 [0] NCCL INFO Channel 02/0 : 0[0] -> 1[1] via P2P/CUMEM/read",
            "host-a:1:2 [0] NCCL INFO Channel 02/0 : 0[0] -> 1[1] via P2P/CUMEM/rea",
            "host-a:1:2 [0] NCCL INFO Channel 03/0 : 0[0] -> 1[1] [send] via P2P/CUMEM",
            "host-a:1:2 [0] NCCL INFO Channel 04/0 : 0[0] -> 9[1] [send] via NET/Socket/0",
            "host-a:1:2 [0] NCCL INFO CollNet 00/0 : 3 [send] via NET/Socket/0",
            "host-a:1:2 [0] NCCL INFO Channel 05/0 : 0[0] -> 9[1] [send] via NET/Socket/1",
            "host-a:1:2 [0] NCCL INFO Channel 06/0 : 0[0] -> 9[1] [send] via NET/Socket/1 x",
            "host-a:1:2 [0] NCCL INFO Channel 06/0 : 0[0] -> 9[1] [send] via NET/Socket/1 x",
            "host-a:1:2 [0] NCCL INFO Connected all trees",
            "host-a:1:2 [0] NCCL INFO Connected all rings",
            "host-a:1:2 [0] NCCL INFO",
            "host-a:1:2 [0] NCCL INFO Connehost-a:1:3 [0] NCCL INFO Connected all trees",
            "host-a:1:2 [0] init.cc:12 NCCL WARN Cuda failure 2 'out of memory'",
            "host-a:1:2 [0] NCCL INFO Connected all trees",
            "[2026-11-20 20:00:00] host-a:1:2 [0] NCCL INFO Connected all trees",
            "[rank3]: host-a:1:2 [0] NCCL INFO Connected all trees",
            "host-a:1:2 [1] NCCL INFO Connected all trees",
            "host-a:1:2 [0] NCCL INFO Connected all trees");
    var text = Text.of(String.join("\n", lines));
    var parser = new LineParser(text);
    var together = new ArrayList<String>();
    int start = 0;
    for (var line : lines) {
      int end = start + line.length();
      var outcome =
          parser.parse(
              start,
              end,
              (head, event, from, to) ->
                  together.add(head + " " + event + text.substring(from, to)));
      together.add(outcome.name());
      start = end + 1;
    }
    var alone = new ArrayList<String>();
    for (var line : lines) {
      var own = Text.of(line);
      var outcome =
          new LineParser(own)
              .parse(
                  0,
                  own.length(),
                  (head, event, from, to) ->
                      alone.add(head + " " + event + own.substring(from, to)));
      alone.add(outcome.name());
    }
    assertThat(together).isEqualTo(alone);
  }
}
