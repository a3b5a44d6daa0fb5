package io.ringside.streams.fact;

import static io.ringside.streams.fact.KeptBlocks.BLOCK;
import static io.ringside.streams.fact.KeptBlocks.MOST_LEVEL;
import static io.ringside.streams.fact.KeptBlocks.keeps;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import org.junit.jupiter.api.Test;

class KeptBlocksTest {
  @Test
  void keepsOneBlockOfEachGroupAndWholeBlocksOnly() {
    for (int level = 0; level <= MOST_LEVEL; level++) {
      int group = 1 << level;
      for (long first = 0; first < 100L * group; first += group) {
        int kept = 0;
        for (long block = first; block < first + group; block++) {
          boolean begin = keeps(block * BLOCK, level);
          assertThat(keeps(block * BLOCK + BLOCK - 1, level)).isEqualTo(begin);
          kept += begin ? 1 : 0;
        }
        assertThat(kept).as("level %d from block %d", level, first).isEqualTo(1);
      }
    }
  }

  @Test
  void keepsAtALowerLevelWhatAHigherOneKeeps() {
    for (long block = 0; block < 10_000; block++) {
      for (int level = 1; level <= MOST_LEVEL; level++) {
        assertThat(keeps(block * BLOCK, level - 1) || !keeps(block * BLOCK, level)).isTrue();
      }
    }
  }

  @Test
  void keepsNoPace() {
    var places = new HashSet<Long>();
    for (long block = 0; block < 8_000; block++) {
      if (keeps(block * BLOCK, 3)) {
        places.add(block % 8);
      }
    }
    assertThat(places).hasSize(8);
  }
}
