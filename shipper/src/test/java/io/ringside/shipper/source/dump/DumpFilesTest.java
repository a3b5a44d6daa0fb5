package io.ringside.shipper.source.dump;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.UnreachedWitness;
import io.ringside.shipper.config.FolderOwner;
import io.ringside.shipper.config.Identity;
import io.ringside.shipper.source.WitnessReachability;
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

class DumpFilesTest {
  private static final String UID = "16a1bf63-2c21-4b6a-b351-e4c9728387a4";
  private static final String POD = "training_llama-worker-0_" + UID;

  @TempDir private Path folder;
  @TempDir private Path elsewhere;
  private final DumpCounts counts = new DumpCounts();
  private final List<LogChunk> sent = new ArrayList<>();
  private final Instant now = Instant.now();
  private final WitnessReachability contacts = new WitnessReachability(() -> now);
  private boolean away;
  private long nanos;
  private DumpFiles files;

  @BeforeEach
  void begin() {
    files = agent();
  }

  private DumpFiles agent() {
    return new DumpFiles(
        new FolderOwner(
            List.of(folder.resolve("fr") + "/*/*_rank_*"),
            Identity.ofNode("east", "n1"),
            folder.resolve("pods")),
        Duration.ofSeconds(3),
        chunk -> {
          if (away) {
            return CompletableFuture.failedFuture(new IOException("away"));
          }
          sent.add(chunk);
          return CompletableFuture.completedFuture(null);
        },
        counts,
        contacts.contact(UnreachedWitness.FLIGHT_RECORDER),
        () -> now,
        () -> nanos);
  }

  @Test
  void sendsADumpOnceItHasNotChangedForAWhile() throws Exception {
    var file = write(POD + "/nccl_trace_rank_3", dump("one"));
    look(0, 2);
    write(POD + "/nccl_trace_rank_3", dump("two, longer"));
    look(2, 2);
    assertThat(sent).isEmpty();

    look(2, 2, 2);
    assertThat(sent).hasSize(1);
    assertThat(content(0)).isEqualTo(dump("two, longer"));
    var source = sent.getFirst().source();
    assertThat(source.file()).isEqualTo(file.toString());
    assertThat(List.of(source.namespace(), source.pod(), source.job(), source.node()))
        .containsExactly("training", "llama-worker-0", "llama", "n1");
    assertThat(source.podUid()).isEqualTo(UID);

    write(POD + "/nccl_trace_rank_3", dump("of the next attempt, longer still"));
    look(2, 2, 2);
    assertThat(sent).hasSize(2);
    assertThat(counts.dumps.sum()).isEqualTo(2);
  }

  @Test
  void saysThatThereIsNoFolder() throws Exception {
    look(0, 2);
    assertThat(contacts.unreached())
        .extracting(UnreachedWitness::witness, UnreachedWitness::why, UnreachedWitness::absent)
        .containsExactly(tuple("flight recorder", "has no folder " + folder.resolve("fr"), true));

    write("job-7/nccl_trace_rank_0", dump("one"));
    look(2);
    assertThat(contacts.unreached()).isEmpty();
  }

  @Test
  void sendsItAgainAfterARestartAsTheSame() throws Exception {
    write("job-7/nccl_trace_rank_0", dump("one"));
    look(0, 4);
    files = agent();
    look(0, 4);

    assertThat(sent).hasSize(2);
    assertThat(sent.get(1)).isEqualTo(sent.get(0));
    assertThat(sent.getFirst().source().job()).isEqualTo("job");
  }

  @Test
  void waitsForABrokerThatIsAway() throws Exception {
    write("a/nccl_trace_rank_0", dump("one"));
    away = true;
    look(0, 4, 2);
    away = false;
    look(2);

    assertThat(sent).hasSize(1);
  }

  @Test
  void letsNoFolderKeepTheOthersWaiting() throws Exception {
    for (int i = 0; i < 600; i++) {
      write("a/x_rank_" + i, dump("one of many"));
    }
    write("b/x_rank_0", dump("the other job's"));
    look(0, 4);
    assertThat(sent).hasSize(33);
    assertThat(sent.getLast().source().job()).isEqualTo("b");
    look(2, 2);
    assertThat(sent).hasSize(33);
    look(60);
    assertThat(sent).hasSize(65);
    assertThat(counts.flaws.of(DumpFlaw.TOO_MANY)).isEqualTo(1);
  }

  @Test
  void leavesOldOnesAlone() throws Exception {
    var file = write("a/nccl_trace_rank_0", dump("of last week"));
    Files.setLastModifiedTime(file, FileTime.from(now.minus(Duration.ofDays(7))));
    look(0, 4, 4);

    assertThat(sent).isEmpty();
  }

  @Test
  void saysThatADumpIsThereWhereItCannotBeSent() throws Exception {
    Files.writeString(elsewhere.resolve("shadow"), "root:$6$x:1::::::\n");
    write("a/x_rank_0", dump("a's own"));
    write("a/x_rank_1", dump("a's own, cut").replaceAll("\\.$", ""));
    write("a/x_rank_2", "api_key=hunter2\n");
    write("a/x_rank_3", "");
    var noise = new byte[2 << 20];
    new Random(1).nextBytes(noise);
    write("a/x_rank_4", dump(new String(noise, ISO_8859_1)));
    Files.createDirectories(folder.resolve("fr/b"));
    Files.createSymbolicLink(folder.resolve("fr/b/x_rank_5"), elsewhere.resolve("shadow"));
    Files.createSymbolicLink(folder.resolve("fr/b/x_rank_6"), folder.resolve("fr/a/x_rank_0"));
    Files.createDirectories(folder.resolve("fr/b/x_rank_7"));
    look(0, 4, 4, 4);

    assertThat(sent)
        .extracting(chunk -> chunk.source().file().replaceAll(".*_", ""))
        .containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7");
    for (int i = 0; i < sent.size(); i++) {
      int rank = Integer.parseInt(sent.get(i).source().file().replaceAll(".*_", ""));
      assertThat(content(i).length())
          .as("rank %d", rank)
          .isEqualTo(rank == 0 ? 20 : rank == 1 ? 24 : rank == 4 ? 1024 : 0);
    }
    assertThat(counts.flaws.of(DumpFlaw.CUT)).isEqualTo(1);
    assertThat(counts.flaws.of(DumpFlaw.NO_DUMP)).isEqualTo(2);
    assertThat(counts.flaws.of(DumpFlaw.TOO_LARGE)).isEqualTo(1);
    assertThat(counts.flaws.of(DumpFlaw.UNREADABLE)).isEqualTo(3);
    assertThat(counts.dumps.sum()).isEqualTo(1);
  }

  @Test
  void knowsAPodByItsUidAndLeavesItToTheServiceWhereNobodyTells() throws Exception {
    Files.createDirectories(folder.resolve("pods/" + POD));
    write(UID + "/volumes/nccl_trace_rank_0", dump("one"));
    var owner =
        new FolderOwner(
            List.of(folder.resolve("fr") + "/*/volumes/*_rank_*", folder + "/tmp/*_rank_*"),
            Identity.ofNode("", "n1"),
            folder.resolve("pods"));

    assertThat(owner.of(folder.resolve("fr/" + UID + "/volumes/x_rank_0")).pod())
        .isEqualTo("llama-worker-0");
    var gone = folder.resolve("fr/00000000-2c21-4b6a-b351-e4c9728387a4/volumes/x_rank_0");
    assertThat(owner.of(gone).speaksOfNode()).isTrue();
    assertThat(owner.of(folder.resolve("tmp/x_rank_0")).speaksOfNode()).isTrue();
  }

  private void look(int... seconds) throws InterruptedException {
    for (int passed : seconds) {
      nanos += passed * 1_000_000_000L;
      files.round();
    }
  }

  private Path write(String name, String content) throws IOException {
    var file = folder.resolve("fr").resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content.getBytes(ISO_8859_1));
  }

  private static String dump(String words) {
    return "\u0080\u0002}pg_config" + words + ".";
  }

  private String content(int index) throws IOException {
    var line = sent.get(index).text().toString();
    var packed =
        Base64.getDecoder().decode(line.substring(line.lastIndexOf(' ') + 1).getBytes(UTF_8));
    try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return new String(in.readAllBytes(), ISO_8859_1);
    }
  }
}
