package io.ringside.streams.publish.http;

/// The request is answered with this status and reason, without further action.
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedRequest(int status, String reason) {
    super(reason, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
