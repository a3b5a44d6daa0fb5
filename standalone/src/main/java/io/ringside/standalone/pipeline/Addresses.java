package io.ringside.standalone.pipeline;

import java.io.PrintStream;

/// Addresses of a running pipeline.
public final class Addresses {
  private Addresses() {}

  /// The web page: `http://127.0.0.1:40123/`.
  public static String page(LocalPipeline pipeline) {
    var address = pipeline.httpAddress();
    return "http://%s:%d/".formatted(address.getHostString(), address.getPort());
  }

  /// Prints all addresses, the page last since it is what users open next.
  public static void print(PrintStream out, LocalPipeline pipeline) {
    var page = page(pipeline);
    out.println("  Kafka    " + pipeline.bootstrapServers());
    out.println("  metrics  " + page + "metrics");
    out.println("  API      " + page + "api/jobs  " + page + "api/findings");
    out.println("Ctrl-C ends it. Until then everything is on the page:");
    out.println("  " + page);
    out.flush();
  }
}
