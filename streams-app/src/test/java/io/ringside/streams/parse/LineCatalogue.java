package io.ringside.streams.parse;

import io.ringside.streams.parse.nccl.NcclLines;
import io.ringside.streams.parse.scan.Family;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;
import java.util.stream.Collectors;

/// Writes `docs/lines.md` from the families' own tables.
final class LineCatalogue {

  private static final String HEAD =
      """
      # Lines that are recognised

      Written from the code by `LineCatalogueTest`; do not edit. `#` is a number (digits within names too: `P2P` is `P#P`),
      `*` is any text. Of several shapes that fit a line, the longest wins. Launchers' wrappers, loggers' prefixes and NCCL's own
      header are off already. What is read becomes an event of `io.ringside.streams.parse.event`; what is ignored is known and of no use.

      Besides the lines below, %d messages of NCCL 2.3.5 to 2.30.7 and aws-ofi-nccl 1.0.0 to 1.21.1 are known from their format strings
      (`streams-app/src/main/resources/io/ringside/streams/parse/nccl/known-lines.tsv`) and ignored; each WARN and ABORT line is read,
      each CALL and TRACE line is ignored. An NCCL line that fits nothing is counted by its shape.
      """;

  private static final String WITHOUT_SHAPE =
      """

      ## nccl-tests

      Comments begin with `#` and rows with numbers, so they have no shapes here: `# Collective test starting: …`, `# nccl-tests version …`,
      `#  Rank … Pid … on … device … […]`, the rows of the table, `# Out of bounds values : …`, `# Avg bus bandwidth : …`.
      Neither have headings of the Trainer, `***** Running training *****`, and progress bars, ` 6%|▌  | 3/50 [00:58<15:21, 19.61s/it]`,
      which may stand anywhere in a line.

      ## Failures without a shape

      The last line of a traceback, `torch.OutOfMemoryError: …`, `zlib.error: …`; glog's `*** SIGSEGV (@…) received by PID …`; what C and C++
      assert, ``train: src/queue.cc:71: void push(): Assertion `size < capacity' failed.``; `python3: can't open file 'train.py': …`; and
      bash's word on its children where it is not written in ASCII, `行 9: 51 已杀死 …`.
      """;

  private static final String PREFIXES =
      """

      ## Prefixes

      Taken off in any order, several deep. The first are taken off whatever comes behind, the others, which prose may look like, only
      where a line comes behind that is known. Colours are taken off everywhere.

      | prefix | whose | says |
      |---|---|---|
      | `[1,26]<stdout>:`, `[1,mpirank:26,algo-2]<stdout>:`, `[prterun-host-7@1,26]<stderr>: `, `[host:1,26]<stdout>:`, `[…][host:812]<stdout>:` | mpirun `--tag-output`, Open MPI 4 and 5 | task |
      | `3: `, ` 12: ` | `srun -l` | task |
      | `[rank4]:`, `[default0]:`, `[5]:` | PyTorch, torchrun `--tee` | rank, task |
      | `(Actor pid=5, ip=10.0.0.1) `, at the end ` [repeated 15x across cluster]` | Ray | |
      | `[pod/llama-0/trainer] `, `[node/ip-10-0-0-1] ` | `kubectl logs --prefix` | |
      | `2026-11-20T20:42:26.942Z `, with `stdout F ` behind it, with a zone, in brackets | `--timestamps`, `docker logs -t`, CRI, CloudWatch | time |
      | `2026-11-20T20:42:26+0100 host unit[7]: ` | `journalctl -o short-iso`, rsyslog | time |
      | `<14>1 2026-11-20T20:42:26.942Z host unit 7 - - ` | syslog as in RFC 5424 | time |
      | `2026-11-20T20:42:26Z {pod="llama-0"} ` | logcli | time |
      | `2026-11-20 20:42:26,123 - root - INFO - `, `2026-11-20 20:42:26.123 \\| INFO     \\| a.b:c:12 - `, `[NeMo I 2026-11-20 20:42:26 …] ` | loggers | time |
      | likely: `worker-0: `, `10.0.3.17: `, `<node>: ` | pdsh, clush, placeholders | |
      | likely: `llama-0 trainer `, `training llama-0 trainer `, `[llama-0 trainer] ` | stern, kubetail | |
      | likely: `trainer-1  \\| ` | Docker Compose | |
      | likely: `dinov2.node-4 [stderr] ` | milabench | |
      | likely: `[rank 3] `, `(Rank 3/8): `, `rank 3: `, `Rank 3 of 8 \\| ` | training scripts | rank |
      | likely: `[node 1] `, `[worker 3] ` | training scripts | |
      | likely: `Nov 20 20:42:26 host unit[7]: ` | journalctl, syslog | |
      | likely: `llama/trainer/0f3c5 ` | `aws logs tail`, behind the time | |
      | likely: `file.log:123:`, `123:`, `[12] `, `12  `, `> `, `+`, `INFO:name:`, `INFO 11-20 20:42:26 [file.py:12] ` | grep, editors, quotes, differences, loggers | |
      """;

  private LineCatalogue() {}

  static String markdown() {
    var out = new StringBuilder(HEAD.formatted(NcclLines.knownLines()));
    NcclLines.families().forEach(family -> append(out, family));
    TextLines.FAMILIES.forEach(family -> append(out, family));
    return out.append(WITHOUT_SHAPE).append(PREFIXES).toString();
  }

  private static void append(StringBuilder out, Family<?> family) {
    out.append("\n## ").append(family.name()).append("\n\n");
    var read = family.shapes().stream().filter(shape -> shape.reader() != null).toList();
    if (!read.isEmpty()) {
      out.append("| read | versions |\n|---|---|\n");
      read.forEach(shape -> row(out, shape));
    }
    var ignored = ignored(family.shapes());
    if (!ignored.isEmpty()) {
      out.append(read.isEmpty() ? "" : "\n").append("Ignored: ").append(ignored).append("\n");
    }
  }

  private static void row(StringBuilder out, Shape<?> shape) {
    out.append("| ").append(code(shape)).append(" | ").append(shape.versions()).append(" |\n");
  }

  private static String ignored(List<? extends Shape<?>> shapes) {
    return shapes.stream()
        .filter(shape -> shape.reader() == null)
        .map(LineCatalogue::code)
        .collect(Collectors.joining(" · "));
  }

  private static String code(Shape<?> shape) {
    return "`" + shape.text().replace("|", "\\|") + "`";
  }
}
