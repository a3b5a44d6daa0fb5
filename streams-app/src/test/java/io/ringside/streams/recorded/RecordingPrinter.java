package io.ringside.streams.recorded;

import java.nio.file.Path;

/// Prints what is judged of recordings given as folders; for work on detectors.
final class RecordingPrinter {
  private RecordingPrinter() {}

  public static void main(String[] folders) {
    for (var folder : folders) {
      var verdict = Recorded.in(Path.of(folder)).judged();
      System.out.println("== " + folder);
      for (var run : verdict.runs()) {
        System.out.printf(
            "  run %s %s..%s ranks %d/%d net %s %s%n    %s%n    waits %s%n",
            run.run(),
            run.since(),
            run.until(),
            run.ranksSeen(),
            run.nranks(),
            run.network(),
            run.ncclVersion(),
            run.transports(),
            run.waits());
        System.out.println("    aggregates " + run.aggregates());
        run.checklist()
            .forEach(
                c -> System.out.println("    " + c.status() + " " + c.name() + ": " + c.detail()));
      }
      for (var f : verdict.findings()) {
        System.out.printf(
            "  >> %s %s %s %s ranks %s %s..%s%n     %s | expected %s | observed %s | cause %s | %s%n",
            f.severity(),
            f.kind(),
            f.state(),
            f.id(),
            f.ranks(),
            f.since(),
            f.until(),
            f.summary(),
            f.expected(),
            f.observed(),
            f.cause(),
            f.cost());
        if (System.getProperty("proof") != null) {
          f.evidence()
              .forEach(
                  e ->
                      System.out.println(
                          "        "
                              + e.time()
                              + " "
                              + e.file()
                              + ":"
                              + e.offset()
                              + " "
                              + e.text()));
        }
      }
    }
  }
}
