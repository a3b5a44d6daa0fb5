package io.ringside.streams.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournaledStoreTest {
  @TempDir private Path folder;
  private JournaledStore<Notes> store;

  /// Keeps the last events it got.
  static final class Notes {
    final List<String> last = new ArrayList<>();
    long count;

    void add(byte[] event) {
      last.add(java.util.HexFormat.of().formatHex(event));
      if (last.size() > 400) {
        last.removeFirst();
      }
      count++;
    }
  }

  @BeforeEach
  void open() {
    store = store(0);
  }

  private JournaledStore<Notes> store(int small) {
    var made =
        JournaledStore.builder(
                "notes",
                Notes.class,
                Notes::new,
                Notes::new,
                (event, notes) -> notes.add(event),
                small)
            .withLoggingDisabled()
            .build();
    var context =
        new MockProcessorContext<Void, Void>(
            new java.util.Properties(),
            new org.apache.kafka.streams.processor.TaskId(0, 0),
            folder.toFile());
    made.init(context.getStateStoreContext(), made);
    return made;
  }

  @Test
  void writesASmallObjectWholeUntilItIsLarge() {
    store = store(10_000);
    var random = new SplittableRandom(11);
    var key = "node|a\nh";
    var asked = new int[1];
    for (int event = 0; event < 300; event++) {
      var bytes = bytes(random, 100);
      store.get(key).add(bytes);
      store.note(
          key,
          () -> {
            asked[0]++;
            return bytes;
          });
      store.flushCache();
      var last = List.copyOf(store.get(key).last);
      if (event % 3 == 0) {
        store.clearCache();
      }
      assertThat(store.get(key).last).isEqualTo(last);
      assertThat(store.get(key).count).isEqualTo(event + 1);
    }
    assertThat(asked[0]).as("events that were written").isBetween(50, 250);
    assertThat(store.keys()).containsExactly(key);
    assertThat(store.get("node|a").count).as("whose head would be called like it").isZero();

    store.remove(key);
    assertThat(size()).isZero();
  }

  @Test
  void goesOnWithWhatWasWrittenWholeByAVersionThatWroteAllSo() {
    var notes = new Notes();
    notes.add(new byte[] {7});
    store = store(10_000);
    store.bytes.put("a", new StateBytes<>(Notes.class).write(notes));

    assertThat(store.get("a").last).containsExactly("07");
    assertThat(store.keys()).containsExactly("a");
  }

  @Test
  void givesBackWhatEventsMadeOfAnObjectHoweverManyThereWere() {
    var random = new SplittableRandom(7);
    for (int commit = 0; commit < 60; commit++) {
      for (int event = 0; event < random.nextInt(1, 40); event++) {
        add("a", bytes(random, 12_000));
        if (event % 7 == 0) {
          add("b", bytes(random, 50));
        }
      }
      store.flushCache();
      if (commit % 5 == 0) {
        var a = List.copyOf(store.get("a").last);
        var b = List.copyOf(store.get("b").last);
        long count = store.get("a").count;
        store.clearCache();
        assertThat(store.get("a").last).isEqualTo(a);
        assertThat(store.get("a").count).isEqualTo(count);
        assertThat(store.get("b").last).isEqualTo(b);
      }
    }
    assertThat(store.keys()).containsExactly("a", "b");
  }

  @Test
  void anObjectThatNobodyAsksForRestsAsItsBytes() {
    var random = new SplittableRandom(9);
    var now = new long[] {1_000_000};
    store.clock = () -> now[0];
    for (int event = 0; event < 900; event++) {
      add("quiet", bytes(random, 2_000));
    }
    var kept = store.get("quiet");
    var last = List.copyOf(kept.last);
    store.flushCache();
    long journaled = size();

    now[0] += ObjectStore.REST_MILLIS;
    add("busy", bytes(random, 10));
    store.flushCache();
    assertThat(store.live).containsOnlyKeys("quiet", "busy");
    now[0] += 10_000;
    add("busy", bytes(random, 10));
    store.flushCache();

    assertThat(store.live).containsOnlyKeys("busy");
    assertThat(size()).as("events give way to what they made").isLessThan(journaled);
    assertThat(store.keys()).containsExactly("busy", "quiet");
    assertThat(store.get("quiet")).isNotSameAs(kept);
    assertThat(store.get("quiet").last).isEqualTo(last);
    add("quiet", bytes(random, 10));
    store.flushCache();
    store.clearCache();
    assertThat(store.get("quiet").count).isEqualTo(901);
  }

  @Test
  void anObjectRestsAtOnceButForWhatIsNotWritten() {
    add("a", new byte[100]);
    store.rest("a");
    store.rest("unknown");
    assertThat(store.live).as("not written yet").containsOnlyKeys("a");
    store.flushCache();
    store.rest("a");
    assertThat(store.live).isEmpty();
    assertThat(store.get("a").count).isOne();
  }

  private long size() {
    long size = 0;
    try (var all = store.bytes.all()) {
      while (all.hasNext()) {
        size += all.next().value.length;
      }
    }
    return size;
  }

  @Test
  void writesNoRecordThatABrokerRefuses() {
    var random = new SplittableRandom(8);
    long most = 0;
    for (int commit = 0; commit < 40; commit++) {
      for (int event = 0; event < 100; event++) {
        add("a", bytes(random, 60_000));
      }
      store.flushCache();
      try (var all = store.bytes.all()) {
        while (all.hasNext()) {
          most = Math.max(most, all.next().value.length);
        }
      }
    }
    assertThat(most).isBetween(100_000L, (long) JournaledStore.PIECE);
  }

  @Test
  void leavesNothingOfAForgottenObject() {
    var random = new SplittableRandom(9);
    for (int i = 0; i < 300; i++) {
      add("a", bytes(random, 20_000));
      store.flushCache();
    }
    store.remove("a");

    try (var all = store.bytes.all()) {
      assertThat(all.hasNext()).isFalse();
    }
    assertThat(store.get("a").count).isZero();
  }

  @Test
  void keepsTheJournalAboutAsLargeAsTheObject() {
    var random = new SplittableRandom(10);
    for (int i = 0; i < 2_000; i++) {
      add("a", bytes(random, 20_000));
      store.flushCache();
    }
    long held = 0;
    try (var all = store.bytes.all()) {
      while (all.hasNext()) {
        held += all.next().value.length;
      }
    }
    // 400 events of 10 kB on average, twice as long in hexadecimal
    assertThat(held).isLessThan(20_000_000);
  }

  private void add(String key, byte[] event) {
    store.get(key).add(event);
    store.note(key, event);
  }

  private static byte[] bytes(SplittableRandom random, int most) {
    var bytes = new byte[random.nextInt(1, most)];
    random.nextBytes(bytes);
    return bytes;
  }
}
