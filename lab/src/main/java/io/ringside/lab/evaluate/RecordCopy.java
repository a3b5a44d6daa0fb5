package io.ringside.lab.evaluate;

import java.util.Arrays;

/// Copies of records in which one component is another, also of records within records.
final class RecordCopy {
  private RecordCopy() {}

  /// A copy of a record.
  ///
  /// @param path names of components, from the outermost, with dots between
  static <R extends Record> R with(R record, String path, Object value) {
    int dot = path.indexOf('.');
    var name = dot < 0 ? path : path.substring(0, dot);
    var components = record.getClass().getRecordComponents();
    var types = new Class<?>[components.length];
    var values = new Object[components.length];
    boolean known = false;
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        var accessor = components[i].getAccessor();
        accessor.setAccessible(true);
        var old = accessor.invoke(record);
        boolean meant = components[i].getName().equals(name);
        known |= meant;
        values[i] =
            !meant ? old : dot < 0 ? value : with((Record) old, path.substring(dot + 1), value);
      }
      if (!known) {
        throw new IllegalArgumentException(
            "%s has no %s, only %s"
                .formatted(record.getClass().getSimpleName(), name, Arrays.toString(components)));
      }
      var constructor = record.getClass().getDeclaredConstructor(types);
      constructor.setAccessible(true);
      @SuppressWarnings("unchecked")
      var copy = (R) constructor.newInstance(values);
      return copy;
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot copy " + record, e);
    }
  }
}
