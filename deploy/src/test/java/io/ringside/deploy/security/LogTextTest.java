package io.ringside.deploy.security;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.ringside.deploy.Repository;
import io.ringside.shipper.AgentLog;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.event.KeyValuePair;

/// What the programs log for people ends in somebody's terminal, file names of others and all.
class LogTextTest {
  private static final String HOSTILE =
      "/var/log/pods/a\u001b]0;owned\u0007\u001b[2J\u009b1m\u202egpj\n2026-11-21T00:00:00 INFO all is well\r";

  static Stream<String> patterns() {
    return Stream.of(
        AgentLog.TEXT,
        pattern("streams-app/src/main/resources/io/ringside/streams/logback-text.xml"),
        pattern("standalone/src/main/resources/logback-standalone.xml"));
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void holdsNoEscapeOfOthers(String pattern) {
    var text = layout(pattern, new IOException(HOSTILE));

    assertThat(text.chars())
        .noneMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t' && c != '\r')
        .noneMatch(c -> Character.getType(c) == Character.FORMAT);
    var line = text.lines().findFirst().orElseThrow();
    assertThat(line)
        .contains("ERROR", "cannot read", "file=\"/var/log/pods/a?]0;owned??[2J?1m?gpj?2026");
    // the exception is there, once
    assertThat(text.split("IOException", -1)).hasSize(2);
  }

  /// XML, without a parser's help.
  private static String pattern(String file) {
    return Repository.text(Repository.path(file))
        .replaceAll("(?s).*<pattern>(.*)</pattern>.*", "$1")
        .replace("&amp;", "&");
  }

  private static String layout(String pattern, Throwable cause) {
    var context = new LoggerContext();
    var layout = new PatternLayout();
    layout.setContext(context);
    layout.setPattern(pattern);
    layout.start();
    var event =
        new LoggingEvent(
            LogTextTest.class.getName(),
            context.getLogger("ringside"),
            Level.ERROR,
            "cannot read",
            cause,
            null);
    event.setKeyValuePairs(List.of(new KeyValuePair("file", HOSTILE)));
    try {
      return layout.doLayout(event);
    } finally {
      context.stop();
    }
  }
}
