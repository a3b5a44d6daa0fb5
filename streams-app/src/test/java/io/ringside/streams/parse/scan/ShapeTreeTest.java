package io.ringside.streams.parse.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.schemas.event.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShapeTreeTest {

  private final ShapeTree<Cursor> tree =
      ShapeTree.of(
          Stream.of(
                  "NET/*",
                  "NET/OFI *",
                  "NET/OFI Adding *",
                  "Connected all rings*",
                  "Connected all trees",
                  "balance-x*",
                  "balance#",
                  "P2P Chunksize set to #")
              .map(text -> Shape.<Cursor>of(text, "all", cursor -> true))
              .toList());

  private String found(String message) {
    return found(tree, message);
  }

  private static String found(ShapeTree<Cursor> tree, String message) {
    var shape = tree.first(Text.of(message), 0, message.length());
    return shape == null ? "none" : shape.text();
  }

  @Test
  void takesTheLongestShapeWhereverItsWalkBegins() {
    assertThat(
            Stream.of("NET/OFI Adding X=1", "NET/OFI Other", "NET/OFI", "NET/IB : Using")
                .map(this::found))
        .containsExactly("NET/OFI Adding *", "NET/OFI *", "NET/*", "NET/*");
    assertThat(
            List.of(
                found("Connected all rings"),
                found("Connected all trees, 1"),
                found("Connected all")))
        .containsExactly("Connected all rings*", "Connected all trees", "none");
  }

  @Test
  void readsAMinusBeforeADigitAsPartOfTheNumber() {
    assertThat(List.of(found("balance-12"), found("balance-x"), found("balance12")))
        .containsExactly("balance#", "balance-x*", "balance#");
  }

  @Test
  void asksTheOnlyReaderOfANodeFirstAndSearchesAmongSeveral() {
    var sole =
        ShapeTree.trusting(
            List.of(
                Shape.<Cursor>of("NCCL_*", "all", cursor -> true),
                Shape.<Cursor>ignored("NCCL_* set to *", "2.28")));
    var text = Text.of("NCCL_X set to 1");
    assertThat(found(sole, "NCCL_X set to 1")).isEqualTo("NCCL_*");
    assertThat(sole.isSure(sole.shapes().getFirst())).isTrue();
    var offered = new ArrayList<String>();
    assertThat(
            sole.match(
                text, 0, text.length(), shape -> offered.add(shape.text()) && offered.size() > 1))
        .isTrue();
    assertThat(offered).containsExactly("NCCL_*", "NCCL_* set to *");
    var two =
        ShapeTree.of(
            List.of(
                Shape.<Cursor>of("NCCL_* set by *", "all", cursor -> true),
                Shape.<Cursor>of("NCCL_* set to *", "2.28", cursor -> true)));
    assertThat(found(two, "NCCL_X set to 1")).isEqualTo("NCCL_* set to *");
    assertThat(two.isSure(two.shapes().getLast())).isFalse();
  }

  @Test
  void asksNoReaderWhoseWordsAreNotThere() {
    var death =
        ShapeTree.of(List.of(Shape.<Cursor>of("Received *death signal*", "all", _ -> true)));

    assertThat(found(death, "Received Signals.SIGTERM death signal"))
        .isEqualTo("Received *death signal*");
    assertThat(found(death, "Received as in a telegraphic message")).isEqualTo("none");
  }

  @Test
  void findsShapesWithNumbersAmongTheirFirstBytes() {
    assertThat(found("P2P Chunksize set to 131072")).isEqualTo("P#P Chunksize set to #");
  }

  @Test
  void saysWhereAReaderBeginsThatNeedNotCompareWhatIsInFront() {
    assertThat(Shape.<Cursor>behind("NET/OFI Adding *", "all", cursor -> true).begin())
        .isEqualTo("NET/OFI Adding ".length());
    assertThat(Shape.<Cursor>of("NET/OFI Adding *", "all", cursor -> true).begin()).isZero();
  }
}
