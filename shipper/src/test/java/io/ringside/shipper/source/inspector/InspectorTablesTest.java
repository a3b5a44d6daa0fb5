package io.ringside.shipper.source.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.PackedWitness;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.config.FolderOwner;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.WitnessReachability;
import io.ringside.shipper.source.log.follow.TailCounts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectorTablesTest {
  private static final String TABLE =
      """
      # HELP nccl_collective_exec_time_microseconds time
      nccl_collective_exec_time_microseconds{comm_id="0x0123456789abcd",hostname="a",rank="1",n_ranks="4",collective="AllReduce",coll_sn="7"} 512.5
      """;

  @TempDir private Path root;
  private final TailCounts counts = new TailCounts();
  private final List<LogChunk> sent = new ArrayList<>();
  private final Instant now = Instant.now();
  private final WitnessReachability contacts = new WitnessReachability(() -> now);
  private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
  private Path folder;
  private InspectorTables tables;

  @BeforeEach
  void begin() {
    folder = root.resolve("inspector");
    tables =
        new InspectorTables(
            List.of(folder + "/*/*.log"),
            new FolderOwner(
                List.of(folder + "/*/*.prom"), Identity.ofNode("east", "n1"), root.resolve("pods")),
            text -> text.replace("hunter2", "(masked)"),
            chunk -> {
              sent.add(chunk);
              return answer;
            },
            counts,
            contacts.contact(UnreachedWitness.INSPECTOR),
            () -> now,
            () -> 0);
  }

  @Test
  void sendsATableWholeAfterEachChange() throws IOException {
    write("llama/gpu-0.prom", TABLE);
    tables.round();
    tables.round();
    assertThat(sent).hasSize(1);
    assertThat(text(0)).isEqualTo(TABLE);
    assertThat(sent.getFirst().source().job()).isEqualTo("llama");
    assertThat(counts.bytes.sum()).isEqualTo(TABLE.length());

    write("llama/gpu-0.prom", TABLE.replace("sn=\"7\"", "sn=\"18\""));
    tables.round();
    assertThat(sent).hasSize(2);
    assertThat(text(1)).contains("sn=\"18\"");
  }

  @Test
  void sendsTheNewestOnceTheBrokerIsBack() throws IOException {
    answer = new CompletableFuture<>();
    write("llama/gpu-0.prom", TABLE);
    tables.round();
    write("llama/gpu-0.prom", TABLE + TABLE);
    tables.round();
    assertThat(sent).hasSize(1);

    answer.completeExceptionally(new IOException("away"));
    answer = CompletableFuture.completedFuture(null);
    tables.round();
    tables.round();
    assertThat(sent).hasSize(2);
    assertThat(text(1)).isEqualTo(TABLE + TABLE);
  }

  @Test
  void leavesOldAndForeignOnesAlone() throws IOException {
    var old = write("llama/gpu-0.prom", TABLE);
    Files.setLastModifiedTime(old, FileTime.from(now.minus(Duration.ofDays(7))));
    var others = write("mixtral/gpu-0.prom", TABLE);
    Files.createSymbolicLink(folder.resolve("llama/gpu-1.prom"), others);
    Files.createSymbolicLink(folder.resolve("llama/gpu-2.prom"), Path.of("/etc/passwd"));
    tables.round();

    assertThat(sent).extracting(chunk -> chunk.source().job()).containsExactly("mixtral");
    assertThat(counts.readFailures.sum()).isEqualTo(2);
  }

  @Test
  void hidesSecretsAndReadsNoMoreThanAMegabyte() throws IOException {
    write("llama/gpu-0.prom", "hunter2\n" + "#".repeat(3_000_000));
    tables.round();

    assertThat(text(0)).startsWith("(masked)\n").hasSizeLessThan(1_100_000);
  }

  @Test
  void letsNoFolderKeepTheOthersWaiting() throws IOException {
    for (int i = 0; i < 600; i++) {
      write("a/gpu-%d.prom".formatted(i), TABLE);
    }
    write("b/gpu-0.prom", TABLE);
    tables.round();

    assertThat(sent).hasSize(33);
    assertThat(sent.getLast().source().job()).isEqualTo("b");
  }

  /// Bytes that do not shrink, in place of text.
  @Test
  void readsATableThatFitsIntoNoRecordOnceAChange() throws IOException {
    var random = new Random(7).ints(1_000_000, ' ', '~');
    var text = random.collect(StringBuilder::new, StringBuilder::appendCodePoint, (a, b) -> {});
    write("llama/gpu-0.prom", text.toString());
    tables.round();
    tables.round();

    assertThat(sent).isEmpty();
    assertThat(counts.bytes.sum()).isEqualTo(1_000_000);
  }

  @Test
  void saysThatThereIsNoFolder() throws IOException {
    tables.round();
    tables.round();
    assertThat(contacts.unreached())
        .extracting(UnreachedWitness::witness, UnreachedWitness::why, UnreachedWitness::absent)
        .containsExactly(tuple("NCCL Inspector", "has no folder " + folder, true));

    write("llama/gpu-0.prom", TABLE);
    tables.round();
    assertThat(contacts.unreached()).isEmpty();
  }

  private Path write(String name, String content) throws IOException {
    var file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private String text(int index) throws IOException {
    var line = sent.get(index).text().toString();
    var packed =
        Base64.getDecoder()
            .decode(line.substring((PackedWitness.START + PackedWitness.INSPECTOR + " ").length()));
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
