package io.ringside.deploy.observe;

import io.ringside.deploy.Repository;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What docs/metrics.md lists, which the modules' own tests compare with their code.
final class DocumentedMetrics {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(ringside_\\w+)` \\| (\\w+) \\|");

  private DocumentedMetrics() {}

  /// Every series name.
  static TreeSet<String> names() {
    var names = new TreeSet<String>();
    ROW.matcher(Repository.text(Repository.path("docs/metrics.md")))
        .results()
        .forEach(
            row -> {
              names.add(row.group(1));
              if (row.group(2).equals("histogram")) {
                names.add(row.group(1) + "_bucket");
                names.add(row.group(1) + "_sum");
              }
            });
    return names;
  }
}
