package io.ringside.standalone.analyze;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.RunSummary;
import io.ringside.standalone.input.InputFile;
import io.ringside.standalone.input.Inputs;
import io.ringside.streams.expect.ExpectationsFile;
import io.ringside.streams.judge.Judge;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.function.LongConsumer;

/// Runs the stages of the service without a broker: files become chunks as in the agent, chunks
/// become facts, nodes pass each job its part, and each job is judged once, when its last source
/// has ended.
///
/// ```text
/// files ─► samples                by several threads, each node's by one at a time
/// files ─► chunks ─► facts        by several threads, each log by one at a time
///                      └► nodes ─► jobs      in the order of Recording, by one
///                                   └► verdicts       by several, a job each
/// ```
///
/// The verdict depends only on the files, never on the timing of threads.
///
/// @param clock gives the detection times of findings
/// @param threads number of threads that read and judge
record DirectAnalyzer(InstantSource clock, int threads) implements Analyzer {
  @Override
  public Analysis analyze(Inputs inputs, Labels labels, Progress progress)
      throws IOException, InterruptedException {
    var read = new ReadFiles(inputs);
    long all = inputs.bytes();
    long[] done = {0};
    try (var workers = new Workers(threads)) {
      // in the background: loading takes a fifth of a small log's time, and nothing needs it before
      // the first job ends
      var expectations = workers.begin(() -> ExpectationsFile.once(labels.expectations()));
      var judge = new Judge(() -> Workers.awaited(expectations), new LoggedFailures());
      var jobs = new Jobs(judge, clock, workers);
      LongConsumer reading =
          bytes -> {
            done[0] += bytes;
            progress.read(done[0], all);
          };
      var nodes = new NodeFiles(inputs, labels, reading);
      nodes.topologies(jobs::node, read);
      new SampleTurns(inputs.of(InputFile.Kind.GPU_SAMPLES), labels, workers)
          .read(jobs::node, read, reading);
      nodes.witnesses(jobs::witness, read);
      new LogTurns(inputs.of(InputFile.Kind.LOG), labels, workers).read(jobs::facts, read, reading);
      for (var file : inputs.of(InputFile.Kind.GPU_SAMPLES)) {
        jobs.alone(LogTurns.log(file, labels).source());
      }
      var runs = new ArrayList<RunSummary>();
      var findings = new ArrayList<Finding>();
      jobs.finish(progress)
          .forEach(
              ledger -> {
                runs.addAll(ledger.runs());
                findings.addAll(ledger.findings());
              });
      return new Analysis(read.summary().reading(runs), runs, findings);
    }
  }
}
