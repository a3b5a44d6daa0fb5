package io.ringside.streams.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringside.streams.parse.event.InspectorEvent;
import io.ringside.streams.parse.event.LineEvent;
import io.ringside.streams.parse.event.RasEvent;
import io.ringside.streams.parse.event.TrainerEvent;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What is parsed is read by somebody: a line that nobody asks for is an ignored shape.
class ConsumersTest {
  /// Says which events go on, which is no use of them.
  private static final String GATE = "node/Asked.java";

  /// Their lines count for a log that holds nothing else; what they say of a job is read from whole files, in `witness`.
  private static final Set<Class<?>> OF_WITNESSES = Set.of(RasEvent.class, InspectorEvent.class);

  /// Tells that a run has ended well.
  private static final Set<Class<?>> COMING = Set.of(TrainerEvent.Completed.class);

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
    return leaves(LineEvent.class)
        .filter(event -> OF_WITNESSES.stream().noneMatch(it -> it.isAssignableFrom(event)))
        .filter(event -> !COMING.contains(event));
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(ConsumersTest::leaves)
        : Stream.of(type);
  }
}
