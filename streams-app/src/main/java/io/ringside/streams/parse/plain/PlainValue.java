package io.ringside.streams.parse.plain;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/// One value of a document. A question to a value of another type yields an absent value, so that a
/// document of another structure reads like one without content.
public sealed interface PlainValue {
  /// The absent value.
  static PlainValue none() {
    return None.HERE;
  }

  /// A text.
  record Text(String value) implements PlainValue {}

  /// An integer. One beyond 64 bits becomes the nearest long.
  record Whole(long value) implements PlainValue {}

  /// A number with a fraction.
  record Real(double value) implements PlainValue {}

  /// `true` or `false`.
  record Truth(boolean value) implements PlainValue {}

  /// `null`, `None`.
  enum None implements PlainValue {
    /// The only instance.
    HERE
  }

  /// A list or tuple.
  record Items(List<PlainValue> values) implements PlainValue {
    public Items {
      values = Collections.unmodifiableList(values);
    }
  }

  /// A dictionary. A key that is a number becomes the text of its digits.
  record Fields(Map<String, PlainValue> values) implements PlainValue {
    public Fields {
      values = Collections.unmodifiableMap(values);
    }
  }

  /// The field with this name, {@link #none} if there is none.
  default PlainValue field(String name) {
    return this instanceof Fields(var values) ? values.getOrDefault(name, none()) : none();
  }

  /// All fields, in the order of the document.
  default Map<String, PlainValue> fields() {
    return this instanceof Fields(var values) ? values : Map.of();
  }

  /// The elements of a list.
  default List<PlainValue> items() {
    return this instanceof Items(var values) ? values : List.of();
  }

  /// The element at an index of a list, {@link #none} beyond its end.
  default PlainValue item(int index) {
    return index < items().size() ? items().get(index) : none();
  }

  /// The text, empty if the value is no text.
  default String text() {
    return this instanceof Text(var value) ? value : "";
  }

  /// The integer, or `otherwise` if the value is no number.
  default long whole(long otherwise) {
    return switch (this) {
      case Whole(var value) -> value;
      case Real(var value) -> Double.isFinite(value) ? (long) value : otherwise;
      case Text _, Truth _, None _, Items _, Fields _ -> otherwise;
    };
  }

  /// The number, NaN if the value is no number.
  default double real() {
    return switch (this) {
      case Whole(var value) -> value;
      case Real(var value) -> value;
      case Text _, Truth _, None _, Items _, Fields _ -> Double.NaN;
    };
  }

  /// Whether the value is `true`.
  default boolean truth() {
    return this instanceof Truth(var value) && value;
  }

  /// Whether the value is present.
  default boolean present() {
    return !(this instanceof None);
  }
}
