package io.ringside.streams.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The service's own source files, for rules that the compiled classes do not show.
final class Sources {
  static final Path ROOT = Path.of("src/main/java/io/ringside/streams");

  private static final Pattern COMMENT = Pattern.compile("//[^\\n]*");

  private Sources() {}

  /// Texts without comments, by the path below the root.
  static Map<String, String> all() {
    var texts = new TreeMap<String, String>();
    try (var files = Files.walk(ROOT)) {
      for (var file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        texts.put(
            ROOT.relativize(file).toString(),
            COMMENT.matcher(Files.readString(file)).replaceAll(""));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }
}
