package io.ringside.standalone.up;

import io.ringside.shipper.config.Witnesses;
import io.ringside.standalone.input.UnusableInput;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// The witnesses that `up` reads besides logs and nvidia-smi. Off by default, as in a cluster's
/// agent, and with the same intervals.
final class WitnessOptions {
  @Option(
      names = "--ras",
      paramLabel = "HOST:PORT",
      arity = "0..1",
      defaultValue = "",
      fallbackValue = "localhost:28028",
      description = {
        "Ask NCCL's RAS of the jobs here which ranks launched what: at NCCL_RAS_ADDR, several with",
        "commas. Without a value: ${FALLBACK-VALUE}",
      })
  private String ras = "";

  @Option(
      names = "--kernel-log",
      description = "Read NVIDIA's lines (Xid, NVLink, fabric) in /dev/kmsg.")
  private boolean kernelLog;

  @Option(
      names = "--counters",
      description = "Read error counters of network ports, TCP and GPU links.")
  private boolean counters;

  @Option(
      names = "--dumps",
      paramLabel = "GLOB",
      description = {
        "Read dumps of PyTorch's flight recorder (TORCH_FR_DUMP_TEMP_FILE); quoted. The first folder",
        "with a pattern says whose they are: namespace_pod_uid, or a name of pod or job.",
      })
  private List<String> dumps = List.of();

  @Option(
      names = "--ask-dumps",
      paramLabel = "GLOB",
      description =
          "Ask for dumps by these pipes (TORCH_NCCL_DEBUG_INFO_PIPE_FILE) while a job stands; quoted.")
  private List<String> pipes = List.of();

  @Option(
      names = "--inspector",
      paramLabel = "GLOB",
      description =
          "Read files of NCCL Inspector (NCCL_INSPECTOR_DUMP_DIR) in folders named as for --dumps; *.prom whole.")
  private List<String> inspector = List.of();

  /// The options as the agent's settings.
  ///
  /// @throws UnusableInput for the caller to print
  Witnesses asked() {
    var off = Witnesses.NONE;
    try {
      return new Witnesses(
          new Witnesses.Kernel(kernelLog, off.kernel().device()),
          ras.isEmpty()
              ? off.ras()
              : new Witnesses.Ras(true, ras, off.ras().interval(), off.ras().standing()),
          counters
              ? new Witnesses.Counters(
                  true, "/proc/net/snmp", off.counters().interval(), off.counters().gpuInterval())
              : off.counters(),
          new Witnesses.Dumps(
              !dumps.isEmpty(), dumps, off.dumps().settled(), !pipes.isEmpty(), pipes),
          new Witnesses.Inspector(!inspector.isEmpty(), inspector(false), inspector(true)),
          off.kubernetes());
    } catch (IllegalArgumentException e) {
      throw new UnusableInput("--ras, --dumps, --inspector: " + e.getMessage(), e);
    }
  }

  /// The Inspector's globs: those of tables, or of the files that are followed.
  private List<String> inspector(boolean tables) {
    return inspector.stream().filter(it -> it.endsWith(".prom") == tables).toList();
  }

  /// One line for each witness that is read.
  List<String> words() {
    var words = new ArrayList<String>();
    if (!ras.isEmpty()) {
      words.add("Asking NCCL's RAS at " + ras);
    }
    if (kernelLog) {
      words.add("Reading the driver's lines in /dev/kmsg");
    }
    if (counters) {
      words.add("Reading error counters of network ports, TCP and GPU links");
    }
    dumps.forEach(it -> words.add("Reading dumps of the flight recorder: " + it));
    pipes.forEach(it -> words.add("Asking for dumps while a job stands: " + it));
    inspector.forEach(it -> words.add("Reading NCCL Inspector: " + it));
    return words;
  }
}
