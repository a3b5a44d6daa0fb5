package io.ringside.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.topic.Topics;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.SeenStatements;
import io.ringside.streams.node.SourceState;
import io.ringside.streams.recorded.Lines;
import io.ringside.streams.state.JournaledStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Properties;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A log of a launcher has the lines of all ranks, so what is remembered of it is large.
class LargeSourceTest {
  private static final int RANKS = 2_000;
  private static final int CHUNKS = 40;

  private final NodeJoin join = new NodeJoin();
  private long offset;

  @TempDir private Path folder;

  @Test
  void isReadOnFromTheChunksSinceItWasWrittenWhole() {
    var store = store();
    var undisturbed = new SourceState();
    var told = new SeenStatements();
    undisturbed.use(told);
    for (int i = 0; i < CHUNKS; i++) {
      var chunk = chunk(i);
      var expected = join.read(chunk, undisturbed).orElseThrow();

      var source = store.get(chunk.source().id());
      source.use(told);
      var read = join.read(chunk, source).orElseThrow();
      store.note(
          chunk.source().id(),
          () -> Topics.LOGS.valueSerde().serializer().serialize(Topics.LOGS.name(), chunk));
      store.flushCache();
      if (i % 3 == 2) {
        store.clearCache(); // as whoever takes over
      }
      assertThat(read.arrivals()).usingRecursiveComparison().isEqualTo(expected.arrivals());
      assertThat(read.gaps()).isZero();
    }
  }

  /// The first chunks start the ranks, the later ones are calls of theirs.
  private LogChunk chunk(int number) {
    var lines = new ArrayList<String>();
    int part = RANKS / (CHUNKS / 2);
    for (int i = 0; i < part; i++) {
      int rank = number % (CHUNKS / 2) * part + i;
      lines.add(
          number < CHUNKS / 2
              ? ("h%d:%d:%d [0] NCCL INFO ncclCommInitRankConfig comm 0x%x rank %d nranks %d cudaDev 0"
                      + " nvmlDev 0 busId 1b000 commId 0x5eed - Init START")
                  .formatted(rank / 8, 100 + rank, 100 + rank, 0x7f00 + rank, rank, RANKS)
              : ("h%d:%d:%d [0] NCCL INFO AllReduce: opCount 1 sendbuff 0x1 recvbuff 0x2 count 64"
                      + " datatype 7 op 0 root 0 comm 0x%x [nranks=%d] stream 0x3")
                  .formatted(rank / 8, 100 + rank, 100 + rank, 0x7f00 + rank, RANKS));
    }
    var of = Lines.of(0, false, lines.toArray(String[]::new));
    long first = offset;
    offset += of.nextOffset();
    return new LogChunk(
        of.source(),
        0,
        number,
        first,
        offset,
        Lines.AT,
        true,
        false,
        of.text(),
        of.offsets(),
        of.baseNanos(),
        of.nanos(),
        of.cut());
  }

  private JournaledStore<SourceState> store() {
    var store = Stores.sources(join).withLoggingDisabled().build();
    var context =
        new MockProcessorContext<Void, Void>(new Properties(), new TaskId(0, 0), folder.toFile());
    store.init(context.getStateStoreContext(), store);
    return store;
  }
}
