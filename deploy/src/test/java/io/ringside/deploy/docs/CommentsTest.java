package io.ringside.deploy.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.deploy.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Comments are as wide as code, which is formatted by a program that leaves comments alone.
class CommentsTest {
  private static final int COLUMNS = 100;
  private static final Path HERE =
      Path.of("deploy/src/test/java/io/ringside/deploy/docs/CommentsTest.java");

  @Test
  void areAtMostAHundredColumnsWide() {
    var sources = sources();
    assertThat(sources).hasSizeGreaterThan(1500);
    assertThat(sources.stream().flatMap(source -> wide(source).stream())).isEmpty();
  }

  /// Drawings and tables may be wider, and so may texts that only look like a comment.
  @Test
  void areFoundWhereTheyAreTooWide() {
    var wide = " ".repeat(COLUMNS);
    var source =
        """
        /// fine
        /// wide%s.
        /// ```text
        /// a drawing%s.
        /// ```
        class A {
          // wide%s.
          String text = ""\"
              // a text%s.
              ""\";
        }
        """
            .replace("%s", wide);

    assertThat(wide(HERE, source.lines().toList()))
        .extracting(line -> line.replace(HERE.toString(), ""))
        .containsExactly(":2", ":7");
  }

  private static List<Path> sources() {
    return Repository.javaFiles("src");
  }

  private static List<String> wide(Path source) {
    return wide(Repository.ROOT.relativize(source), Repository.text(source).lines().toList());
  }

  private static List<String> wide(Path name, List<String> lines) {
    var found = new ArrayList<String>();
    var drawing = false;
    var text = false;
    for (var i = 0; i < lines.size(); i++) {
      var line = lines.get(i);
      var comment = !text && line.strip().startsWith("//");
      if (comment && line.contains("```")) {
        drawing = !drawing;
      }
      if (!comment && line.split("\"\"\"", -1).length % 2 == 0) {
        text = !text;
      }
      if (comment && !drawing && line.length() > COLUMNS) {
        found.add(name + ":" + (i + 1));
      }
    }
    return found;
  }
}
