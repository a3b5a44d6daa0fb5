package io.ringside.streams.job;

import static io.ringside.schemas.event.LogChunk.NO_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogSource;
import io.ringside.streams.fact.WitnessFacts;
import io.ringside.streams.parse.flightrecorder.Dump;
import io.ringside.streams.parse.flightrecorder.DumpReading;
import io.ringside.streams.parse.flightrecorder.RecordedDump;
import io.ringside.streams.witness.Witness;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobWitnessesTest {
  private final JobWitnesses witnesses = new JobWitnesses();

  @Test
  void keepsDumpsOfAllRanksAndOfManyOnlyTheirLastCalls() {
    var recorded = RecordedDump.of(0, 2);
    for (int i = 0; i < 256; i++) {
      recorded.done("0", "all_reduce", i);
    }
    var dump = recorded.started("0", "all_reduce", 256).dump();
    for (int i = 0; i < 2_000; i++) {
      say("rank_" + i, new Witness.Dumped(dump));
    }
    say("rank_0", new Witness.Dumped(dump));

    assertThat(witnesses.dumps()).hasSize(2_000);
    assertThat(witnesses.dumps().stream().mapToLong(it -> it.calls().size()).sum())
        .isLessThan(300_000);
    assertThat(witnesses.dumps()).allMatch(it -> it.calls().getLast().pending());
    assertThat(witnesses.dumps()).extracting(Dump::whole).contains(true, false);
  }

  @Test
  void aFileThatIsReadAtLastIsRefusedNoMore() {
    say("rank_0", new Witness.Undumped(new DumpReading.Refused("rank_0", 0, "it is cut off")));
    assertThat(witnesses.refused()).hasSize(1);

    say("rank_0", new Witness.Dumped(RecordedDump.of(0, 2).done("0", "all_reduce", 0).dump()));

    assertThat(witnesses.refused()).isEmpty();
    assertThat(witnesses.dumps()).hasSize(1);
  }

  private void say(String file, Witness said) {
    var source = new LogSource("", "n1", "", "pod", "", "", "job", file);
    witnesses.add(new WitnessFacts(source, List.of(said), NO_TIME));
  }
}
