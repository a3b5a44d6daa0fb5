package io.ringside.shipper;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/// The agent's own log, written to stderr as text, or as JSON with `LOG_FORMAT=json`, from the
/// level `LOG_LEVEL` up. It is set up in code because reading a Logback XML file loads 400 classes
/// on every node. It does nothing if `-Dlogback.configurationFile` is set, or in any program other
/// than the agent.
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class AgentLog extends ContextAwareBase implements Configurator {
  /// File names and texts from other programs are untrusted data: their line breaks, escapes and
  /// direction marks are replaced by `?`.
  public static final String TEXT =
      "%d{\"yyyy-MM-dd'T'HH:mm:ss.SSSXXX\"} %-5level %replace(%msg %kvp){'[\\p{Cc}\\p{Cf}]', '?'}%n"
          + "%replace(%ex){'[\\p{Cc}\\p{Cf}&&[^\\n\\r\\t]]', '?'}";

  private static final String ASKED = "ringside.log";
  private static final String AGENT = "agent";

  /// Turns on this log. Must be called before the first logger is made.
  static void use() {
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty(ASKED, AGENT);
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext log) {
    if (!AGENT.equals(System.getProperty(ASKED))) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    var stderr = new ConsoleAppender<ILoggingEvent>();
    stderr.setContext(log);
    stderr.setTarget("System.err");
    stderr.setEncoder(encoder(log));
    stderr.start();
    log.getLogger("org.apache.kafka").setLevel(Level.WARN);
    // logs every second that the broker is away; the agent itself logs it once
    log.getLogger("org.apache.kafka.clients.NetworkClient").setLevel(Level.ERROR);
    var root = log.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getenv("LOG_LEVEL"), Level.INFO));
    root.addAppender(stderr);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Encoder<ILoggingEvent> encoder(LoggerContext log) {
    if ("json".equals(System.getenv("LOG_FORMAT"))) {
      var json = new JsonEncoder();
      json.setContext(log);
      json.start();
      return json;
    }
    var text = new PatternLayoutEncoder();
    text.setContext(log);
    text.setPattern(TEXT);
    text.start();
    return text;
  }
}
