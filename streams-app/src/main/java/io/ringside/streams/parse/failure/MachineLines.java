package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;
import static io.ringside.streams.parse.failure.Statements.shortened;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.event.FailureEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// What kernels, drivers of GPUs and network cards, nvidia-smi and DCGM report about a machine.
public final class MachineLines {

  private MachineLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("Out of memory: Killed process # *", "Linux", MachineLines::hostMemory),
          Shape.of(
              "Memory cgroup out of memory: Killed process # *", "Linux", MachineLines::hostMemory),
          Shape.of("Out of memory: Kill process # *", "Linux up to 5.0", MachineLines::hostMemory),
          Shape.of(
              "Memory cgroup out of memory: Kill process # *",
              "Linux up to 5.0",
              MachineLines::hostMemory),
          Shape.of("OOMKilled*", "Kubernetes", MachineLines::hostMemory),
          saying(FailureClass.OUT_OF_MEMORY, "Killed /* due to memory *", "systemd-oomd"),
          Shape.of("pt_main_thread[#]: segfault at *", "Linux", MachineLines::crashInNccl),
          Shape.of("python[#]: segfault at *", "Linux", MachineLines::crashInNccl),
          Shape.of("python3[#]: segfault at *", "Linux", MachineLines::crashInNccl),
          Shape.of("python3.#[#]: segfault at *", "Linux", MachineLines::crashInNccl),
          saying(FailureClass.GPU_ERROR, "HW Exception by GPU node-# (*", "ROCm"),
          Shape.of(
              ":#:rocdevice.cpp*Callback: Queue * aborting with error : HSA_STATUS_*",
              "ROCm",
              MachineLines::queueAborted),
          saying(FailureClass.EXCEPTION, "Memory access fault by GPU node-# (*", "ROCm"),
          saying(
              FailureClass.GPU_ERROR, "Unable to determine the device handle for *", "nvidia-smi"),
          Shape.of("| *ERR!*", "nvidia-smi", MachineLines::unreadable),
          Shape.of("|ERR!*", "nvidia-smi", MachineLines::unreadable),
          saying(FailureClass.GPU_ERROR, "Detected # volatile double-bit ECC *", "DCGM"),
          saying(FailureClass.GPU_ERROR, "GPU # had uncorrectable memory errors and row *", "DCGM"),
          saying(FailureClass.GPU_ERROR, "GPU # had memory errors and row *", "DCGM"),
          Shape.of("NVRM: *", "driver", MachineLines::broken),
          Shape.of("amdgpu *", "amdgpu", MachineLines::broken),
          Shape.of(
              "[[Health]] Detected a WARNING in health system Thermal: *",
              "DCGM",
              Statements::aside),
          Shape.of("Detected clock* due to thermal violation in GPU #*", "DCGM", Statements::aside),
          Shape.of("Fail - GPU*", "dcgmi diag", MachineLines::diagnosed),
          Shape.of("| * | Fail - GPU*", "dcgmi diag", MachineLines::diagnosed),
          Shape.of("GPU # Thermal violations totaling *", "dcgmi diag", Statements::aside),
          Shape.of("Thermal violations totaling *", "dcgmi diag", Statements::aside),
          Shape.of("There were thermal violations totaling *", "dcgmi diag", Statements::aside),
          saying(
              FailureClass.GPU_ERROR,
              "has fallen off the bus and is not responding to commands*",
              "driver"),
          Shape.of("NVRM: Xid (PCI:*): #*", "driver", MachineLines::driver),
          saying(
              FailureClass.GPU_ERROR,
              "NVRM: nvAssertOkFailedNoLog: Assertion failed: Reset required *",
              "driver"),
          Shape.of(
              "XidCriticalError: Xid=# on Device=*",
              "NVIDIA's device plugin",
              MachineLines::plugin),
          Shape.of("nvidia-nvswitch#: SXid (PCI:*): #*", "driver", MachineLines::driver),
          Shape.of("mlx5_core *: Link down", "mlx5_core", MachineLines::linkDown),
          Shape.of("mlx5_core *: Port: # Link DOWN", "mlx5_ib, InfiniBand", MachineLines::linkDown),
          Shape.of("bnxt_en *: NIC Link is Down", "bnxt_en", MachineLines::linkDown),
          Shape.of("ice *: NIC Link is Down", "ice", MachineLines::linkDown),
          Shape.of("ib#: lost carrier", "systemd-networkd", MachineLines::carrier),
          Shape.of("ib#: Lost carrier", "systemd-networkd", MachineLines::carrier),
          Shape.of("ERROR: nhc: Health check failed: *", "NHC", MachineLines::unhealthy),
          Shape.of("Linux version #.*", "Linux", MachineLines::booted),
          Shape.of("-- Boot * --", "journalctl", MachineLines::booted),
          Shape.of("-- Reboot --", "journalctl", MachineLines::booted),
          Shape.of("Node condition * is now: True*", "health agents", MachineLines::driver));

  /// A row of nvidia-smi's table:
  /// `| N/A   29C    P0   ERR! / 250W |    593MiB / 16160MiB |      0%      Default |`, without a
  /// number where the GPU does not answer.
  private static boolean unreadable(TextLine line) {
    var words = line.rest().replaceAll("\\s+", " ");
    return (words.contains("MiB") || words.contains("ERR! / ERR! |"))
        && line.emit(
            new FailureEvent.Said(
                -1, FailureClass.GPU_ERROR, shortened(FailureEvent.Said.ROW + words.substring(1))));
  }

  private static final String HANDLE = "Unable to determine the device handle for ";

  /// How nvidia-smi's message ends for a GPU that no longer answers.
  private static final List<String> ENDINGS =
      List.of(": GPU is lost", "recover this GPU", ": Unknown Error", ": GPU requires reset");

  /// Reads the line of a program that has called nvidia-smi, after the program's own words:
  /// `WARN probe: rc=15: Unable to determine the device handle for GPU…: GPU is lost.`
  public static boolean asked(TextLine line) {
    int end =
        line.end() > line.at() && endsWith(line, line.end(), ".") ? line.end() - 1 : line.end();
    for (var words : ENDINGS) {
      if (endsWith(line, end, words)) {
        return line.find(": " + HANDLE)
            && line.emit(
                new FailureEvent.Said(
                    line.rank(),
                    FailureClass.GPU_ERROR,
                    shortened(FailureEvent.Said.ASKED + HANDLE + line.rest())));
      }
    }
    return false;
  }

  private static boolean endsWith(TextLine line, int end, String words) {
    int from = end - words.length();
    return from > line.at() && line.text().startsWith(words, from);
  }

  /// `pt_main_thread[2536]: segfault at 7f79 ip … error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]`.
  /// Of the crashes on a node, only those in NCCL surely belong to a job.
  private static boolean crashInNccl(TextLine line) {
    int from = line.at();
    boolean ofNccl = line.find(" in libnccl");
    line.back(from);
    return ofNccl && said(line, FailureClass.SEGFAULT);
  }

  /// Other programs of a node, whose death does not harm a job:
  /// `Killed process 8123 (fluent-bit) total-vm:…`.
  private static final Set<String> SERVICES =
      Set.of(
          "alloy",
          "aws-node",
          "bash",
          "beat",
          "calico",
          "cilium",
          "containerd",
          "dcgm",
          "dockerd",
          "exporter",
          "fluent",
          "kube",
          "otel",
          "prometheus",
          "promtail",
          "ringside",
          "sh",
          "sshd",
          "systemd",
          "telegraf",
          "vector");

  private static boolean ofAService(String words) {
    int from = words.indexOf(" (");
    int to = words.indexOf(')', from);
    return from >= 0 && to >= 0 && isService(words.substring(from + 2, to));
  }

  /// Whether a process or a pod is one of those services, judged by its name.
  static boolean isService(String process) {
    var name = process.toLowerCase(Locale.ROOT);
    return SERVICES.stream()
        .anyMatch(service -> service.length() < 5 ? name.equals(service) : name.contains(service));
  }

  private static boolean hostMemory(TextLine line) {
    var words = line.ahead();
    return !ofAService(words) && said(line, FailureClass.OUT_OF_MEMORY);
  }

  /// Driver messages about a GPU that does not work. NVIDIA's driver reports a GPU that is gone or
  /// does not start; AMD's reports one that does not start, that it resets or whose memory failed
  /// (Linux's drivers/gpu/drm/amd/amdgpu: amdgpu_device.c, amdgpu_ras.c).
  private static final Pattern BROKEN =
      Pattern.compile(
          "fallen off the bus|RmInitAdapter failed!|Fatal error during GPU init|: GPU reset begin!"
              + "|[1-9]\\d{0,9} (?:new )?uncorrectable hardware errors detected"
              + "|: uncorrectable hardware error\\(");

  private static boolean broken(TextLine line) {
    return BROKEN.matcher(line.ahead()).find() && said(line, FailureClass.GPU_ERROR);
  }

  /// A row of the table of `dcgmi diag`,
  /// `|                           | Fail - GPUs: 0, 3                              |`.
  private static boolean diagnosed(TextLine line) {
    var words = line.rest();
    words = words.substring(Math.max(0, words.lastIndexOf("Fail - GPU")));
    return DIAGNOSED.matcher(words).matches() && line.emit(new FailureEvent.DriverNotice(words));
  }

  private static final Pattern DIAGNOSED =
      Pattern.compile("Fail - GPUs?:? \\d{1,3}(?:, \\d{1,3}){0,63}\\s{0,80}\\|");

  /// Reads a line of NVIDIA's driver in the kernel's log, also after the kernel's stamp.
  public static boolean driver(TextLine line) {
    if (line.find("NVRM: Xid (PCI:")) {
      return xid(line);
    }
    return line.find(": SXid (PCI:") && switchXid(line);
  }

  /// `mlx5_core 0000:53:00.0 enp83s0f0np0: Link down`; for the RDMA device of a port
  /// `mlx5_core 0000:53:00.0 mlx5_3: Port: 1 Link DOWN`.
  private static boolean linkDown(TextLine line) {
    line.until(' ');
    var device = line.expect(" ").until(' ');
    var port = line.expect(" ").until(':');
    return line.good() && line.emit(new FailureEvent.LinkDown(device, port));
  }

  /// `ib6: Lost carrier`: an InfiniBand port, named by its IP interface. Interfaces of Ethernet are
  /// not read, because they come and go with containers.
  private static boolean carrier(TextLine line) {
    var port = line.until(':');
    return line.emit(new FailureEvent.LinkDown(port, port));
  }

  /// `ERROR: nhc: Health check failed: check_gpu_xid: GPU Xid errors detected: [ 3606.8] NVRM: Xid
  /// (PCI:…` and `… check_gpu_ecc: GPU id 3: SRAM Uncorrectable ECC error count detected, (0,1)`,
  /// from the health checks that Azure runs on its nodes.
  private static boolean unhealthy(TextLine line) {
    int from = line.at();
    if (driver(line)) {
      return true;
    }
    line.back(from);
    return line.ahead().contains("Uncorrectable ECC error") && said(line, FailureClass.GPU_ERROR);
  }

  private static boolean booted(TextLine line) {
    return line.emit(new FailureEvent.Booted());
  }

  /// `nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28 LTSSM Fault Up`. The lines
  /// after it, `…): 20034, Severity 1 Engine instance …` and `…, Data {…}`, add nothing.
  private static boolean switchXid(TextLine line) {
    var busId = line.until(')');
    var code = line.expect("): ").integer();
    line.expect(", ");
    boolean fatal = line.skip("Fatal, ");
    return line.good()
        && (fatal || line.skip("Non-fatal, "))
        && line.emit(new FailureEvent.SwitchXid(code, busId, fatal, shortened(line.rest())));
  }

  /// `NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s …`; for a
  /// slice of a GPU `(PCI:0000:9b:00 GPU-I:05)`.
  private static boolean xid(TextLine line) {
    var slot = line.until(')');
    var busId = slot.indexOf(' ') < 0 ? slot : slot.substring(0, slot.indexOf(' '));
    var code = line.expect("): ").integer();
    var words = line.good() ? shortened(line.rest()) : "";
    return line.good() && line.emit(new FailureEvent.Xid(code, busId, words));
  }

  /// `XidCriticalError: Xid=94 on Device=GPU-3b6ec030-5adc-1847-e155-79f635584b4e; marking device
  /// as unhealthy.` (k8s-device-plugin's internal/rm/health.go, older versions with a comma). It
  /// names the GPU by its UUID, a slice of one by `MIG-…`.
  private static boolean plugin(TextLine line) {
    int code = line.expect("XidCriticalError: Xid=").integer();
    line.expect(" on Device=");
    int from = line.at();
    while (!line.atEnd() && ";, ".indexOf(line.peek()) < 0) {
      line.back(line.at() + 1);
    }
    return line.good()
        && line.at() > from
        && line.emit(
            new FailureEvent.Xid(
                code, line.text().substring(from, line.at()), shortened(line.rest())));
  }

  /// `:0:rocdevice.cpp :2726: 129230165 us: [pid:7 tid:0x7eeb] Callback: Queue 0x7eeb aborting with
  /// error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception. code:
  /// 0x1016` (ROCclr's rocclr/device/rocm/rocdevice.cpp, which aborts the process): an assertion in
  /// a kernel failed, or a kernel read an invalid address.
  private static boolean queueAborted(TextLine line) {
    line.seek("Callback: ");
    return line.good() && said(line, FailureClass.EXCEPTION);
  }
}
