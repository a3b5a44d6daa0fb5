package io.ringside.benchmarks.service;

import io.ringside.standalone.broker.EmbeddedBroker;
import java.io.IOException;

/// A broker in a process of its own: prints its address, ends with its standard input.
final class BrokerProcess {
  private BrokerProcess() {}

  public static void main(String[] args) throws IOException {
    try (var broker = EmbeddedBroker.start()) {
      System.out.println("broker " + broker.bootstrapServers());
      while (System.in.read() >= 0) {
        // until whoever started it is gone
      }
    }
  }
}
