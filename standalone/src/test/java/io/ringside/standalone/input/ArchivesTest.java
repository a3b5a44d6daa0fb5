package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchivesTest {
  private static final String LINE = "host:1:1 [0] NCCL INFO cudaDriverVersion 13000\n";

  @TempDir Path folder;

  private Spool spool = new Spool(InputStream.nullInputStream());

  @AfterEach
  void close() {
    spool.close();
  }

  @Test
  void readsATarBehindItsNameWithItsFolders() throws IOException {
    var file = write("logs.tgz", gzip(tar("pods/ns_job-0_uid/trainer/0.log", "b.log")));

    var inputs = Inputs.of(List.of("gpu-1=" + file), spool);

    assertThat(inputs.files())
        .extracting(InputFile::name)
        .containsExactly(file + "/b.log", file + "/pods/ns_job-0_uid/trainer/0.log");
    assertThat(inputs.files()).extracting(InputFile::node).containsOnly("gpu-1");
    assertThat(inputs.files()).allMatch(log -> read(log).equals(LINE));
  }

  @Test
  void readsAZipAndZstd() throws IOException {
    var zip = new ByteArrayOutputStream();
    try (var out = new ZipOutputStream(zip)) {
      out.putNextEntry(new ZipEntry("a/0.log"));
      out.write(LINE.getBytes(UTF_8));
    }
    write("logs.zip", zip.toByteArray());
    write("model.pt", zip.toByteArray());
    write("b.log.zst", zstd(LINE.getBytes(UTF_8)));
    write("c.tar.zst", zstd(tar("c.log")));

    var inputs = Inputs.of(List.of(folder.toString()), spool);

    assertThat(inputs.files())
        .extracting(file -> folder.relativize(Path.of(file.name())).toString())
        .containsExactly("b.log.zst", "c.tar.zst/c.log", "logs.zip/a/0.log");
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::reason)
        .containsExactly("zip data without .zip in its name");
  }

  /// As PowerShell redirects output into a file.
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void readsUtf16(String order) throws IOException {
    write(
        "train.log",
        ("\ufeff" + LINE + "Verlust: 0,5 \u20ac\r\n").getBytes(Charset.forName(order)));

    var inputs = Inputs.of(List.of(folder.toString()), spool);

    assertThat(inputs.skipped()).isEmpty();
    assertThat(inputs.files())
        .singleElement()
        .satisfies(
            file -> {
              assertThat(file.name()).endsWith("train.log");
              assertThat(Files.readString(file.path())).isEqualTo(LINE + "Verlust: 0,5 \u20ac\r\n");
            });
  }

  @Test
  void readsStandardInputWhateverItIs() {
    spool = new Spool(new ByteArrayInputStream(LINE.getBytes(UTF_8)));
    assertThat(Inputs.of(List.of("-"), spool).files())
        .singleElement()
        .matches(file -> file.name().equals("stdin") && read(file).equals(LINE));
  }

  @Test
  void saysThatNothingCame() {
    assertThatThrownBy(() -> Inputs.of(List.of("-"), spool))
        .isInstanceOf(UnusableInput.class)
        .hasMessage(
            "Nothing came on standard input; pipe a log into it: kubectl logs POD | ringside analyze -");
  }

  @Test
  void writesNothingOutsideWhateverMembersAreCalled() throws IOException {
    var tar = tar("../../../escaped.log", "/etc/absolute.log", "a/../b.log");

    var inputs = Inputs.of(List.of(write("evil.tar", tar).toString()), spool);

    assertThat(inputs.files())
        .extracting(file -> file.name().replaceFirst(".*evil\\.tar/", ""))
        .containsExactly("a/b.log", "escaped.log", "etc/absolute.log");
    assertThat(inputs.files()).allMatch(file -> file.path().startsWith(spoolRoot(file)));
    assertThat(folder.resolve("../escaped.log")).doesNotExist();
  }

  private static Path spoolRoot(InputFile file) {
    var path = file.path();
    while (!String.valueOf(path.getFileName()).startsWith("ringside-input-")) {
      path = Objects.requireNonNull(path.getParent());
    }
    return path;
  }

  @Test
  void takesNoLinksOutOfAnArchive() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new TarArchiveOutputStream(bytes)) {
      member(out, "0.log");
      var link = new TarArchiveEntry("passwd.log", TarArchiveEntry.LF_SYMLINK);
      link.setLinkName("/etc/passwd");
      out.putArchiveEntry(link);
      out.closeArchiveEntry();
    }

    var inputs = Inputs.of(List.of(write("a.tar", bytes.toByteArray()).toString()), spool);

    assertThat(inputs.files()).hasSize(1);
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::reason)
        .containsExactly("a link or a device in an archive");
  }

  @Test
  void namesABombAndReadsTheRest() throws IOException {
    write("0.log", LINE.getBytes(UTF_8));
    var bomb = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bomb)) {
      var zeros = new byte[1 << 20];
      for (int i = 0; i < 70; i++) {
        out.write(zeros);
      }
    }
    write("bomb", bomb.toByteArray());

    var inputs = Inputs.of(List.of(folder.toString()), spool);

    assertThat(inputs.files()).hasSize(1);
    assertThat(inputs.skipped())
        .extracting(Inputs.Skipped::reason)
        .containsExactly(
            "it unpacks to more than 400 times its size, as an archive bomb does;"
                + " unpack it yourself and give the file");
  }

  @Test
  void holdsSoMuchAndNoMore() throws IOException {
    spool = new Spool(InputStream.nullInputStream(), 1 << 20);
    var large = write("large.zst", zstd(LINE.repeat(1 << 16).getBytes(UTF_8)));

    assertThatThrownBy(() -> Inputs.of(List.of(large.toString()), spool))
        .hasMessageContaining("it takes more than 1 MB of temporary space");
  }

  @Test
  void readsWhatComesBeforeTheDamage() throws IOException {
    var tar = tar("a.log", "b.log");
    var cut = write("cut.tar", Arrays.copyOf(tar, 1024 + 512 + 100));

    var inputs = Inputs.of(List.of(cut.toString()), spool);

    assertThat(inputs.files()).extracting(InputFile::name).contains(cut + "/a.log");
    assertThat(inputs.skipped()).singleElement().matches(s -> s.reason().contains("damaged"));
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private static String read(InputFile file) {
    try {
      return Files.readString(file.path());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static byte[] tar(String... names) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new TarArchiveOutputStream(bytes)) {
      for (var name : names) {
        member(out, name);
      }
    }
    return bytes.toByteArray();
  }

  private static void member(TarArchiveOutputStream out, String name) throws IOException {
    var entry = new TarArchiveEntry(name, true);
    entry.setSize(LINE.length());
    out.putArchiveEntry(entry);
    out.write(LINE.getBytes(UTF_8));
    out.closeArchiveEntry();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] zstd(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new ZstdCompressorOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }
}
