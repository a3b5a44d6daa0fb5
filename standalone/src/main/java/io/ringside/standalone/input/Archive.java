package io.ringside.standalone.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/// Unpacks the files of an archive into one folder, whatever their names.
///
/// @param leftOut receives name and reason of each member that is not unpacked
record Archive(Spool spool, Path folder, BiConsumer<String, String> leftOut) {
  private static final int LONGEST_NAME = 200;
  private static final int DEEPEST = 24;

  /// Unpacks all files of a tar archive.
  ///
  /// @param packed size of the packed archive in bytes
  void untar(InputStream in, long packed) throws IOException {
    long[] unpacked = {0};
    var tar = new TarArchiveInputStream(in);
    for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      if (wanted(entry, regular(entry))) {
        take(entry.getName(), tar, packed, unpacked);
      }
    }
  }

  private static boolean regular(TarArchiveEntry entry) {
    return entry.isFile()
        && !entry.isLink()
        && !entry.isSymbolicLink()
        && !entry.isFIFO()
        && !entry.isBlockDevice()
        && !entry.isCharacterDevice();
  }

  /// Unpacks all files of a zip archive.
  void unzip(Path file) throws IOException {
    long packed = Files.size(file);
    long[] unpacked = {0};
    try (var zip = ZipFile.builder().setPath(file).get()) {
      for (var entries = zip.getEntries(); entries.hasMoreElements(); ) {
        ZipArchiveEntry entry = entries.nextElement();
        if (!zip.canReadEntryData(entry)) {
          leftOut.accept(entry.getName(), "it is encrypted, or packed in a way that is not known");
        } else if (wanted(entry, !entry.isUnixSymlink())) {
          try (var in = zip.getInputStream(entry)) {
            take(entry.getName(), in, packed, unpacked);
          }
        }
      }
    }
  }

  private boolean wanted(ArchiveEntry entry, boolean regular) {
    if (entry.isDirectory()) {
      return false;
    }
    if (!regular) {
      leftOut.accept(entry.getName(), "a link or a device in an archive");
    }
    return regular;
  }

  private void take(String name, InputStream in, long packed, long[] unpacked) throws IOException {
    var file = below(name);
    if (file == null) {
      return;
    }
    try {
      Files.createDirectories(file.getParent());
    } catch (IOException e) {
      leftOut.accept(name, "its folder is a file in the same archive");
      return;
    }
    if (Files.isDirectory(file)) {
      leftOut.accept(name, "it is a folder in the same archive");
      return;
    }
    // what was unpacked before counts too: a decompression bomb may be many small files
    unpacked[0] += spool.take(in, file, Math.max(1, packed - unpacked[0] / Spool.MOST_TIMES));
  }

  /// A path below the folder, even if the name tries to leave it; null for a hidden file or one
  /// that is nested too deep.
  private @org.jspecify.annotations.Nullable Path below(String name) {
    var path = folder;
    int depth = 0;
    for (var step : name.replace('\0', '_').split("/")) {
      if (step.isEmpty() || step.equals(".") || step.equals("..")) {
        continue;
      }
      if (step.startsWith(".") || ++depth > DEEPEST) {
        return null;
      }
      path = path.resolve(step.length() > LONGEST_NAME ? step.substring(0, LONGEST_NAME) : step);
    }
    return path.equals(folder) ? null : path;
  }
}
