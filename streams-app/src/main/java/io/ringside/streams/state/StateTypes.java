package io.ringside.streams.state;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.LinkedHashSet;
import java.util.Set;

/// Finds the classes of this product that a value can hold: the classes of its fields, their
/// elements, and the permitted subclasses of sealed types.
final class StateTypes {
  private static final String PREFIX = "io.ringside.";

  private final Set<Class<?>> seen = new LinkedHashSet<>();

  private StateTypes() {}

  /// Concrete classes, including the type itself, in a stable order.
  ///
  /// @throws IllegalArgumentException if a field holds an array of such classes
  static Set<Class<?>> reachableFrom(Type type) {
    var types = new StateTypes();
    types.add(type);
    types.seen.removeIf(seen -> seen.isInterface() || Modifier.isAbstract(seen.getModifiers()));
    return types.seen;
  }

  /// The class name without its package, which stays the same when classes move to another package.
  static String name(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1);
  }

  private void add(Type type) {
    switch (type) {
      case ParameterizedType generic -> {
        add(generic.getRawType());
        for (var argument : generic.getActualTypeArguments()) {
          add(argument);
        }
      }
      case WildcardType wildcard -> add(wildcard.getUpperBounds()[0]);
      case GenericArrayType array -> add(array.getGenericComponentType());
      case Class<?> array when array.isArray() -> {
        if (array.getTypeName().startsWith(PREFIX)) {
          // Fory 1.6 cannot name arrays: only the process that wrote them could read them
          throw new IllegalArgumentException("%s is to be a list".formatted(array.getTypeName()));
        }
      }
      case Class<?> own when own.getName().startsWith(PREFIX) && seen.add(own) -> holds(own);
      default -> {
        // a JDK class, or already known
      }
    }
  }

  private void holds(Class<?> own) {
    if (own.isSealed()) {
      for (var choice : own.getPermittedSubclasses()) {
        add(choice);
      }
    }
    for (Class<?> at = own; at != null && at != Object.class; at = at.getSuperclass()) {
      for (var field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !Modifier.isTransient(field.getModifiers())) {
          add(field.getGenericType());
        }
      }
    }
  }
}
