package io.ringside.lab.lives;

import io.ringside.shipper.ShipperMain;
import io.ringside.streams.StreamsAppMain;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.LogAndSkipOnInvalidTimestamp;

/// The agent or the service by a {@link FastClock}. What rests by the system's clock all the same
/// is told to rest for a shorter time, as far as it can be told.
final class FastProgram {
  /// An agent's threads rest between two looks by the system's clock.
  private static final String[] AGENT = {
    "--set=logs.poll=10ms", "--set=report.interval=500ms", "--set=kafka.linger.ms=2"
  };

  /// Kafka Streams waits for records by the system's clock, and takes no record for one of the
  /// future. A transaction takes the same time at any speed.
  private static final String[] SERVICE = {
    "--kafka=poll.ms=10",
    "--kafka=commit.interval.ms=500",
    "--kafka=default.timestamp.extractor=" + LogAndSkipOnInvalidTimestamp.class.getName()
  };

  private FastProgram() {}

  static final class Agent {
    public static void main(String[] arguments) {
      var clock = FastClock.given();
      ShipperMain.main(with(arguments, AGENT), clock, clock::nanoseconds);
    }
  }

  static final class Service {
    public static void main(String[] arguments) {
      StreamsAppMain.main(with(arguments, SERVICE), FastClock.given());
    }
  }

  private static String[] with(String[] given, String[] more) {
    return Stream.concat(Arrays.stream(given), Arrays.stream(more)).toArray(String[]::new);
  }
}
