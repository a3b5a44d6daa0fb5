package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.standalone.input.Content.Data;
import io.ringside.standalone.input.Content.Usable;
import io.ringside.standalone.input.Content.Useless;
import io.ringside.standalone.input.InputFile.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentSnifferTest {

  @ParameterizedTest
  @CsvSource({
    "llama-3-8b-node-0-0.log, LOG",
    "cri.log, LOG",
    "all_reduce.txt, LOG",
    "dmon.txt, GPU_SAMPLES",
    "nvidia-smi.csv, GPU_SAMPLES",
    "topo-m.txt, TOPOLOGY",
  })
  void knowsWhatItReads(String name, Kind kind) throws IOException {
    assertThat(ContentSniffer.of(recorded(name))).isEqualTo(new Usable(kind));
  }

  /// `nvidia-smi -q -x`: its flags are lines.
  @Test
  void readsAQueryTwice() throws IOException {
    assertThat(ContentSniffer.of(recorded("q.xml")))
        .isEqualTo(new Usable(List.of(Kind.GPU_SAMPLES, Kind.LOG)));
  }

  @Test
  void saysThatAPatchIsNoLog() {
    var patch =
        """
        commit 4be1f2a90c1d1e9a7f1b2233cc44dd55ee66ff70
        Author: A <a@example.org>
        Date:   Wed Mar 12 22:11:03 2025 +0100

            add fixtures

        diff --git a/tests/socket.log b/tests/socket.log
        new file mode 100644
        index 0000000..b1c2d3e
        --- /dev/null
        +++ b/tests/socket.log
        @@ -0,0 +1 @@
        +w0:7:7 [0] NCCL INFO Using network Socket
        """;
    assertThat(of(patch.getBytes(UTF_8)))
        .isInstanceOfSatisfying(
            Useless.class, useless -> assertThat(useless.reason()).startsWith("a patch"));
  }

  @Test
  void saysWhatItDoesNotRead() throws IOException {
    assertThat(ContentSniffer.of(recorded("topo-p2p-r.txt")))
        .isInstanceOfSatisfying(
            Useless.class, useless -> assertThat(useless.reason()).contains("topo -p2p"));
    assertThat(ContentSniffer.of(recorded("truth.csv")))
        .isInstanceOfSatisfying(Data.class, data -> assertThat(data.reason()).contains("CSV data"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "  1%|▎         | 10/600 [00:11<10:46,  1.10s/it]\n"
            + "  2%|▎         | 15/600 [00:16<10:54,  1.12s/it]\n",
        "Epoch 1, Step 10, Loss 2.31\nEpoch 1, Step 20, Loss 2.28\n",
        "2026-03-04 09:00:01,804 [INFO] rank=3 step=1\n"
            + "2026-03-04 09:00:02,639 [INFO] rank=3 step=2\n",
        "2026-03-04 09:00:01,804 INFO step 1\n2026-03-04 09:00:02,639 INFO step 2\n",
        "diff --git a/train.py b/train.py\n"
            + "--- a/train.py\n"
            + "+++ b/train.py\n"
            + "@@ -1,2 +1,2 @@\n"
            + "-a\n"
            + "+b\n"
            + "step 1 loss 2.31\n",
        "step=10, loss=2.31\nstep=20, loss=2.28\n",
      })
  void takesLinesWithEquallyManyCommasForALog(String log) {
    assertThat(of(log.getBytes(UTF_8))).isEqualTo(new Usable(Kind.LOG));
  }

  @Test
  void takesNulsWithWhichATerminalFillsItsBarsForText() {
    var bar = "\r  6%|▌         | 12/200 [05:53<1:29:56, 28.70s/it]" + "\0".repeat(28);

    assertThat(of(bar.repeat(30).getBytes(UTF_8))).isEqualTo(new Usable(Kind.LOG));
    assertThat(of("a\0b\0c\0d\0".repeat(500).getBytes(UTF_8))).isInstanceOf(Useless.class);
  }

  @Test
  void takesRandomBytesForBinary() {
    var bytes = new byte[5000];
    new Random(7).nextBytes(bytes);
    assertThat(of(bytes)).isEqualTo(new Useless("binary data"));
  }

  @Test
  void takesALogBetweenTwoTagsForALog() {
    var pasted =
        """
        <summary>Output:</summary>

        # nThread 1 nGpus 1 minBytes 1 maxBytes 1073741824
        #  Rank  0 Group  0 Pid     21 on worker-0 device  0 [0x35] Tesla T4
        worker-0:21:21 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>
        </details>
        """;
    assertThat(of(pasted.getBytes(UTF_8))).isEqualTo(new Usable(Kind.LOG));
    var page = "<div>\n<p>one</p>\n<p>two</p>\n</div>\n";
    assertThat(of(page.getBytes(UTF_8))).isEqualTo(new Data("an XML document"));
  }

  @Test
  void takesNulBytesForBinary() {
    assertThat(of(new byte[300])).isEqualTo(new Useless("binary data"));
  }

  /// What is left where a log was emptied under a program that goes on writing where it was.
  @Test
  void takesALogWithAHoleForALog() {
    var line = "host:1:1 [0] NCCL INFO Using network Socket\n".getBytes(StandardCharsets.US_ASCII);
    var bytes = new byte[4000 + 300 * line.length];
    for (int i = 0; i < 300; i++) {
      System.arraycopy(line, 0, bytes, (i < 200 ? 0 : 4000) + i * line.length, line.length);
    }

    assertThat(of(bytes)).isNotInstanceOf(Useless.class);
  }

  /// The hole is longer than what is read of other files to recognise them. Keras erases its bars
  /// with backspaces.
  @Test
  void takesALogThatBeginsWithALongHoleForALog(@TempDir Path folder) throws IOException {
    var bars = new StringBuilder("loading the digits\n" + "\0".repeat(5 * Head.SIZE));
    for (int batch = 1; batch <= 900; batch++) {
      bars.append("\r%3d/900 [==>......] - ETA: 2s - loss: 0.2718".formatted(batch))
          .append("\b".repeat(44));
    }

    var head = written(folder, bars.toString().getBytes(UTF_8));

    assertThat(ContentSniffer.of(head)).isEqualTo(new Usable(Kind.LOG));
    assertThat(head.bytes()).hasSizeLessThanOrEqualTo(Head.SIZE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\b", "\f", "\u0007", "\u000b", "\u001b[K", "\r"})
  void takesWhatMovesATerminalsCursorForText(String moves) {
    var log = ("step 7/900 loss 0.31" + moves.repeat(30) + "\n").repeat(100);
    assertThat(of(log.getBytes(UTF_8))).isEqualTo(new Usable(Kind.LOG));
  }

  /// A disk's image, a sparse file, and one that has nothing behind its hole.
  @Test
  void takesBinaryDataBehindALongHoleForBinary(@TempDir Path folder) throws IOException {
    var random = new byte[3 * Head.SIZE];
    new Random(11).nextBytes(random);
    Arrays.fill(random, 600, 2 * Head.SIZE, (byte) 0);
    var binary = new Useless("binary data");

    assertThat(ContentSniffer.of(written(folder, random))).isEqualTo(binary);
    assertThat(ContentSniffer.of(written(folder, new byte[3 * Head.SIZE]))).isEqualTo(binary);
    var begun = Arrays.copyOf("weights\n".getBytes(UTF_8), 4 * Head.SIZE);
    assertThat(ContentSniffer.of(written(folder, begun))).isEqualTo(binary);
  }

  private static Head written(Path folder, byte[] bytes) throws IOException {
    return Head.of(Files.write(folder.resolve("out.log"), bytes));
  }

  @Test
  void takesALogWithOneNulOrSomeInvalidUtf8ForALog() {
    var latin1 = "größer: 17 %\n".repeat(200).getBytes(StandardCharsets.ISO_8859_1);
    var crashed = Arrays.copyOf("step 17/300 done\n".repeat(200).getBytes(UTF_8), 3401);
    assertThat(of(latin1)).isEqualTo(new Usable(Kind.LOG));
    assertThat(of(crashed)).isEqualTo(new Usable(Kind.LOG));
  }

  @Test
  void takesOneEndlessLineForALog() {
    var line = new byte[Head.SIZE];
    Arrays.fill(line, (byte) 'a');
    assertThat(ContentSniffer.of(new Head(line, false))).isEqualTo(new Usable(Kind.LOG));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"log\":\"NCCL INFO\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-20T00:00:00Z\"}\n",
        "{\"level\":\"info\",\"msg\":\"a\"}\n{\"level\":\"info\",\"msg\":\"b\"}\n",
        "[2025-12-28 16:04:25] host:152:386 [0] NCCL WARN\n",
        "[rank0]: Traceback (most recent call last):\n",
        "[0] 1, 2\n[1] 3, 4\n[2] NCCL INFO x, y\n",
        "{'loss': 2.1, 'epoch': 0.1}\n",
        "<frozen runpy>:128: RuntimeWarning\n",
        "hello, world\n",
      })
  void takesLinesThatResembleDataForALog(String text) {
    assertThat(of(text.getBytes(UTF_8))).isEqualTo(new Usable(Kind.LOG));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\n  \"jobs\": [1, 2]\n}\n", "[{\"a\":1},{\"a\":2}]", "{\"a\": {\"b\": []}}"})
  void takesOneJsonDocumentForData(String text) {
    assertThat(of(text.getBytes(UTF_8))).isEqualTo(new Data("a JSON document"));
  }

  @Test
  void takesALargeJsonDocumentForData() {
    var text = "{\n\"jobs\": [\n" + "  {\"name\": \"llama\", \"ranks\": 8},\n".repeat(3000);
    var head = new Head(Arrays.copyOf(text.getBytes(UTF_8), Head.SIZE), false);
    assertThat(ContentSniffer.of(head)).isEqualTo(new Data("a JSON document"));
  }

  @Test
  void hasNothingToSayOfAnEmptyFile() {
    assertThat(of(new byte[0])).isEqualTo(new Useless("it is empty"));
    assertThat(of(" \n\n".getBytes(UTF_8))).isEqualTo(new Useless("it has no text"));
  }

  private static Content of(byte[] bytes) {
    return ContentSniffer.of(new Head(bytes, true));
  }

  private static Head recorded(String name) throws IOException {
    try (var in = ContentSnifferTest.class.getResourceAsStream("/input/" + name)) {
      return new Head(java.util.Objects.requireNonNull(in, name).readAllBytes(), true);
    }
  }
}
