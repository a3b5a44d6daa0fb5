package io.ringside.platform.config;

import io.ringside.platform.cli.WordSuggestion;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;

/// Describes an error from Jackson in one sentence, with the key's path.
final class ConfigErrors {
  private ConfigErrors() {}

  static String describe(JacksonException e) {
    return switch (e) {
      case UnrecognizedPropertyException unknown ->
          unknown(
              path(unknown),
              unknown.getPropertyName(),
              unknown.getKnownPropertyIds().stream().map(Object::toString).sorted().toList());
      case ValueInstantiationException refused -> {
        var cause = refused.getCause();
        var said = String.valueOf(cause == null ? refused.getMessage() : cause.getMessage());
        var path = path(refused);
        yield path.isEmpty() ? said : path + "." + said;
      }
      case InvalidFormatException wrong ->
          "%s cannot be '%s': %s".formatted(path(wrong), wrong.getValue(), wanted(wrong));
      case MismatchedInputException wrong
          when wrong.getTargetType() != null && wrong.getTargetType().isRecord() ->
          path(wrong) + " must hold keys and values";
      case MismatchedInputException wrong ->
          "%s: %s".formatted(path(wrong), firstLine(wrong.getOriginalMessage()));
      case StreamReadException unreadable -> {
        var at = unreadable.getLocation();
        yield "line %d: %s"
            .formatted(
                at == null ? -1 : at.getLineNr(), firstLine(unreadable.getOriginalMessage()));
      }
      case JacksonException other -> path(other) + ": " + firstLine(other.getOriginalMessage());
    };
  }

  private static String unknown(String path, String key, List<String> known) {
    return "%s is not a known key, known here: %s%s"
        .formatted(path, String.join(", ", known), WordSuggestion.question(key, known));
  }

  private static String wanted(InvalidFormatException wrong) {
    var type = wrong.getTargetType();
    if (type.isEnum()) {
      return firstLine(wrong.getOriginalMessage())
          .replaceFirst(".*not one of the values accepted for Enum class: ", "must be one of ");
    }
    if (type == int.class || type == long.class) {
      return "must be a whole number";
    }
    if (type == boolean.class) {
      return "must be true or false";
    }
    return firstLine(wrong.getOriginalMessage()).replaceFirst(".*: ", "");
  }

  private static String path(JacksonException e) {
    var path = new StringBuilder();
    for (var step : e.getPath()) {
      if (step.getPropertyName() == null) {
        path.append('[').append(step.getIndex()).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
      }
    }
    return path.toString();
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse(message);
  }
}
