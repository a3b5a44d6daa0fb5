package io.ringside.streams.parse.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PickleTest {
  /// `{'a': [1, -2, 70000, 1 << 40, -(1 << 40), 2.5, True, False, None, 'x'], 't': (1, ('y', 'a'),
  /// ())}` as Python 3 writes it in protocols 2 and 5.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "80027d71002858010000006171015d7102284b014afeffffff4a701101008a060000000000018a060000000000ff47400400000000000088894e58010000007871036558010000007471044b015801000000797105680186710629877107752e",
        "8005954a000000000000007d94288c0161945d94284b014afeffffff4a701101008a060000000000018a060000000000ff47400400000000000088894e8c017894658c0174944b018c01799468018694298794752e"
      })
  void readsWhatPythonWrites(String hex) {
    var read = read(HexFormat.of().parseHex(hex));
    var list = read.field("a");
    assertThat(list.items()).hasSize(10);
    assertThat(list.items().stream().limit(5).map(value -> value.whole(0)))
        .containsExactly(1L, -2L, 70_000L, 1L << 40, -(1L << 40));
    assertThat(list.item(5).real()).isEqualTo(2.5);
    assertThat(list.item(6).truth()).isTrue();
    assertThat(list.item(7).truth()).isFalse();
    assertThat(list.item(8).present()).isFalse();
    assertThat(list.item(9).text()).isEqualTo("x");
    assertThat(read.field("t").item(1).item(1).text()).isEqualTo("a");
    assertThat(read.field("t").item(2).items()).isEmpty();
  }

  /// Recorded from Python: a class, a function, and what would call `os.system`.
  @ParameterizedTest
  @CsvSource({
    "80027d71005801000000617101635f5f6d61696e5f5f0a410a7102732e, 0x63", // GLOBAL
    "800263706f7369780a73797374656d0a71002e, 0x63",
    "80025801000000615801000000628129852e, 0x81", // NEWOBJ
    "8002580100000061295281, 0x52", // REDUCE
    "80047d947d622e, 0x62", // BUILD
    "80028c01618c0162932e, 0x93", // STACK_GLOBAL
    "8002580100000061512e, 0x51" // BINPERSID
  })
  void refusesWhateverIsNoPlainData(String hex, String instruction) {
    var refused = (Document.Refused) Pickle.read(HexFormat.of().parseHex(hex));
    assertThat(refused.reason()).contains("no plain data", instruction);
  }

  @Test
  void refusesAListThatWouldHoldItself() {
    // ] q0 h0 a . : an empty list, remembered, recalled, appended to itself
    var refused = (Document.Refused) Pickle.read(HexFormat.of().parseHex("80025d71006800612e"));
    assertThat(refused.reason()).contains("used before");
  }

  @Test
  void refusesWhatLiesTooDeep() {
    Object nested = List.of();
    for (int i = 0; i < 100; i++) {
      nested = List.of(nested);
    }
    var refused = (Document.Refused) Pickle.read(PickleWriter.of(nested));
    assertThat(refused.reason()).contains("too deep");
  }

  @Test
  void doesNotMultiplyWhatIsRecalled() {
    // a list of two recalled lists, forty times over: 2^40 values if they were copied
    var bytes = new java.io.ByteArrayOutputStream();
    bytes.writeBytes(HexFormat.of().parseHex("80025d7100"));
    for (int i = 0; i < 40; i++) {
      bytes.writeBytes(HexFormat.of().parseHex("68%02x68%02x86".formatted(i, i)));
      bytes.writeBytes(HexFormat.of().parseHex("71%02x".formatted(i + 1)));
    }
    bytes.write('.');
    assertThat(read(bytes.toByteArray()).items()).hasSize(2);
  }

  @Test
  void tellsACutDocument() {
    var whole = PickleWriter.of(Map.of("entries", List.of("a", 1, 2.5)));
    for (int length = 3; length < whole.length; length++) {
      var cut = Pickle.read(java.util.Arrays.copyOf(whole, length));
      assertThat(cut).isInstanceOf(Document.Refused.class);
    }
  }

  @Test
  void survivesAnyDamage() {
    var rows = new ArrayList<Object>();
    for (int i = 0; i < 50; i++) {
      rows.add(Map.of("record_id", i, "sizes", List.of(List.of(4096L << i % 20, 8)), "x", 1.5));
    }
    var sound = PickleWriter.of(Map.of("version", "2.10", "entries", rows));
    var random = new Random(19);
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      var bytes = sound.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      refused += Document.of(bytes) instanceof Document.Refused ? 1 : 0;
    }
    assertThat(refused).isPositive();
  }

  private static PlainValue read(byte[] bytes) {
    return ((Document.Read) Pickle.read(bytes)).value();
  }
}
