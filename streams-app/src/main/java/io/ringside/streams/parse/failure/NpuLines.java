package io.ringside.streams.parse.failure;

import static io.ringside.streams.parse.failure.Statements.said;
import static io.ringside.streams.parse.failure.Statements.saying;

import io.ringside.schemas.event.FailureClass;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What Huawei's CANN and HCCL report about a failure, directly or quoted by MindSpore, and what
/// Intel's HCCL reports.
public final class NpuLines {

  private NpuLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          saying(FailureClass.GPU_OUT_OF_MEMORY, "EL0004: *Failed to allocate memory*", "CANN"),
          saying(FailureClass.NCCL, "EE1002: *tream sync*time*", "CANN"),
          Shape.of("EI#: *", "HCCL", NpuLines::hccl),
          Shape.of("EJ#: *", "HCCL", NpuLines::hccl),
          saying(FailureClass.NCCL, "HCCL(*]errNo[*]HcclCommInit* failed*", "HCCL"),
          saying(
              FailureClass.CONFIGURATION,
              "HCCL demo error: *synDeviceAcquire*failed*",
              "Intel Gaudi's demo"),
          Shape.of("DEVICE(*Ascend Error Message:*", "MindSpore", NpuLines::mindSpore),
          Shape.of("[PID: #] #-#-#-#:#:#*", "HCCL of CANN 8", NpuLines::hccl),
          Shape.of("#-#-#-#:#:#*(E*", "the same behind its pid", NpuLines::hccl));

  private static final Pattern HCCL_CODE =
      Pattern.compile("^E[IJ]\\d{4}(?=: )|(?<=\\()E[IJ]\\d{4}(?=\\): )");

  /// HCCL's error codes by Huawei's documentation (CANN, HCCL error codes). A rank that reports
  /// another rank is not itself at fault.
  private static final Map<String, FailureClass> HCCL =
      Map.of(
          "EI0001", FailureClass.CONFIGURATION, // an environment variable
          "EI0002", FailureClass.NCCL, // no notification came from another rank in time
          "EI0004", FailureClass.CONFIGURATION, // the table of ranks
          "EI0006", FailureClass.NETWORK, // another rank did not connect in time
          "EI0015", FailureClass.NETWORK, // not all ranks reached the root
          "EI0020", FailureClass.CONFIGURATION, // a port that is in use
          "EJ0001", FailureClass.CONFIGURATION, // processes of the last job still run
          "EJ0003", FailureClass.CONFIGURATION); // a port that is in use

  /// `EI0006: 2024-08-05-18:15:21.270.506 Getting socket times out. Reason: …`, or since CANN 8
  /// `[PID: 749] 2025-12-29-03:16:15.787.356 Get_Socket_Timeout(EI0006): Getting …`.
  private static boolean hccl(TextLine line) {
    var code = HCCL_CODE.matcher(line.ahead());
    var failureClass = code.find() ? HCCL.get(code.group()) : null;
    return failureClass != null && said(line, failureClass);
  }

  /// `[CRITICAL] DEVICE(162844,…,python):… RunGraph] Run task for graph:kernel_graph_1 error! …
  /// Ascend Error Message:EI0002: …`.
  private static boolean mindSpore(TextLine line) {
    line.seek("Ascend Error Message:");
    return hccl(line);
  }
}
