package io.ringside.streams.detect.error;

import io.ringside.schemas.event.Finding;
import io.ringside.schemas.event.FindingKind;
import io.ringside.schemas.event.Severity;
import io.ringside.streams.detect.failure.AfterLastStep;
import io.ringside.streams.examine.Examination;
import io.ringside.streams.examine.FindingDraft;
import io.ringside.streams.job.Failures.Sign;
import io.ringside.streams.parse.event.FailureEvent;
import java.util.List;
import java.util.TreeSet;

/// NCCL errors as PyTorch reports them, and errors that libfabric met below NCCL, for jobs that
/// print none of NCCL's own lines. The rank that reports an error is often the victim, so no rank
/// is blamed.
final class TorchReports {
  /// Suffix of the libfabric functions that handle failed operations posted by the plugin
  /// (prov/efa/src/rdm, 1.19 and later).
  private static final String LIBFABRIC = "_handle_error()";

  /// Number of edges and steps that may still follow an error because they were under way.
  private static final int SHORTLY = 3;

  /// Start of PyTorch's text for a result that NCCL returned to a program that calls NCCL itself
  /// (torch/csrc/cuda/nccl.cpp).
  private static final String RETURNED = "NCCL Error ";

  private TorchReports() {}

  static List<Finding> examine(Examination examination) {
    var said = examination.run().failures().signs().stream().filter(TorchReports::ofNccl).toList();
    if (said.isEmpty()) {
      return List.of();
    }
    var ranks = new TreeSet<Integer>();
    for (var sign : said) {
      if (sign.event() instanceof FailureEvent.Raised raised && raised.rank() >= 0) {
        ranks.add(raised.rank());
      }
    }
    boolean leaving = said.stream().allMatch(sign -> AfterLastStep.leaves(sign, examination.run()));
    var draft =
        FindingDraft.ofRanks(
                FindingKind.NCCL_ERROR,
                leaving ? Severity.INFO : Severity.WARNING,
                examination,
                ranks)
            .summary(
                (said.getFirst().event() instanceof FailureEvent.DriverNotice driver
                        ? driver.words().startsWith(RETURNED)
                            ? "a program goes on after an NCCL error: "
                            : "libfabric reports that an operation failed: "
                        : "PyTorch reports an NCCL error: ")
                    + words(
                        said.stream()
                            .filter(TorchReports::quoted)
                            .findFirst()
                            .orElse(said.getFirst())))
            .expected("NCCL reaches every peer")
            .observed(said.size() + (said.size() == 1 ? " report" : " reports") + " in the log")
            .cause(
                leaving
                    ? "the run had made its last step: ranks that leave close their connections"
                    : said.stream().anyMatch(TorchReports::quoted)
                        ? null
                        : "no NCCL line says more: set NCCL_DEBUG=WARN. A rank that reports a lost connection is a victim of the"
                            + " one that went away");
    said.stream().limit(4).forEach(sign -> draft.proof(sign.line()));
    return List.of(draft.finding());
  }

  private static boolean ofNccl(Sign sign) {
    if (sign.event() instanceof FailureEvent.DriverNotice said) {
      return said.words().startsWith(RETURNED)
          || said.words().contains(LIBFABRIC) && sign.progressAfter() <= SHORTLY;
    }
    if (!(sign.event() instanceof FailureEvent.Raised raised)) {
      return false;
    }
    var text = raised.type() + ": " + raised.message();
    return (text.contains("NCCL error")
            || text.contains(RETURNED)
            || text.contains("ncclRemoteError")
            || text.contains("ncclSystemError")
            || text.contains("ncclInternalError")
            || text.contains("ncclInvalidUsage")
            || text.contains("ncclUnhandledCudaError")
            || raised.type().endsWith("DistBackendError"))
        && !text.contains("Watchdog caught")
        && !text.contains("communicator was aborted");
  }

  /// Whether the line is NCCL's last warning, which PyTorch prints below the line of the exception.
  /// This line no longer names the exception.
  private static boolean quoted(Sign sign) {
    return sign.event() instanceof FailureEvent.Raised raised
        && raised.type().endsWith("DistBackendError")
        && !raised.message().isEmpty()
        && sign.line().text().contains(raised.message())
        && !sign.line().text().contains("DistBackendError")
        && !sign.line().text().contains("NCCL error");
  }

  private static String words(Sign sign) {
    if (sign.event() instanceof FailureEvent.DriverNotice said) {
      return said.words().substring(Math.max(0, said.words().indexOf("err: ")));
    }
    return sign.event() instanceof FailureEvent.Raised raised && !raised.message().isEmpty()
        ? raised.message()
        : sign.line().text();
  }
}
