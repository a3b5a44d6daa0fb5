package io.ringside.streams.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.event.LineEvent;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is parsed is read by somebody: a line that nobody asks for is an ignored shape.
class ConsumersTest {
  /// Says which events go on, which is no use of them.
  private static final String GATE = "node/JobEventFilter.java";

  @ParameterizedTest
  @MethodSource("events")
  void readEveryEvent(Class<?> event) {
    var name = Pattern.compile("\\b" + Pattern.quote(name(event)) + "\\b");

    assertThat(Sources.all())
        .as("files outside parse that read %s", name(event))
        .anySatisfy(
            (file, text) -> {
              assertThat(file).doesNotStartWith("parse/").isNotEqualTo(GATE);
              assertThat(text).containsPattern(name);
            });
  }

  private static String name(Class<?> event) {
    var outer = event.getEnclosingClass();
    return outer == null
        ? event.getSimpleName()
        : outer.getSimpleName() + "." + event.getSimpleName();
  }

  private static Stream<Class<?>> events() {
    return leaves(LineEvent.class);
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(ConsumersTest::leaves)
        : Stream.of(type);
  }
}
