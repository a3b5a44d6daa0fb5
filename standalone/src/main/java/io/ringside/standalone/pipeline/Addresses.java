package io.ringside.standalone.pipeline;

import java.io.PrintStream;

/// Where a running pipeline can be looked at.
public final class Addresses {
  private Addresses() {}

  /// The page for people: `http://127.0.0.1:40123/`.
  public static String page(LocalPipeline pipeline) {
    var address = pipeline.httpAddress();
    return "http://%s:%d/".formatted(address.getHostString(), address.getPort());
  }

  /// Prints all of them, the page last: that is what people go to next.
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
