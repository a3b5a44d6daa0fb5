package io.ringside.streams.parse.failure;

import io.ringside.schemas.event.FailureClass;
import java.util.Optional;

/// Why a container died, from the reason and the exit code in its state.
public final class ContainerEnd {
  private static final int SIGINT = 130;
  private static final int SIGKILL = 137;
  private static final int SIGSEGV = 139;
  private static final int SIGTERM = 143;

  private ContainerEnd() {}

  /// Empty for SIGTERM and SIGINT: pods are also removed this way after their work is done.
  public static Optional<FailureClass> of(String reason, int code) {
    if (reason.equals("OOMKilled")) {
      return Optional.of(FailureClass.OUT_OF_MEMORY);
    }
    return switch (code) {
      case 0, SIGTERM, SIGINT -> Optional.empty();
      case SIGKILL -> Optional.of(FailureClass.KILLED);
      case SIGSEGV -> Optional.of(FailureClass.SEGFAULT);
      default ->
          Optional.of(
              reason.equals("ContainerCannotRun") || reason.equals("StartError")
                  ? FailureClass.CONFIGURATION
                  : FailureClass.UNKNOWN);
    };
  }
}
