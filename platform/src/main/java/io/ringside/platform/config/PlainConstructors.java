package io.ringside.platform.config;

import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;

/// Creates records by plain reflection. Jackson's method handles generate classes for each
/// constructor signature, which took a tenth of the time that a small log takes.
final class PlainConstructors extends ValueInstantiators.Base {
  @Override
  public ValueInstantiator modifyValueInstantiator(
      DeserializationConfig config, BeanDescription.Supplier type, ValueInstantiator known) {
    return known.getClass() == StdValueInstantiator.class
            && known.getWithArgsCreator() instanceof AnnotatedConstructor constructor
        ? new Plain((StdValueInstantiator) known, constructor)
        : known;
  }

  private static final class Plain extends StdValueInstantiator {
    private final AnnotatedConstructor constructor;

    Plain(StdValueInstantiator known, AnnotatedConstructor constructor) {
      super(known);
      this.constructor = constructor;
    }

    @Override
    public @Nullable Object createFromObjectWith(DeserializationContext context, Object[] values) {
      try {
        return constructor.getAnnotated().newInstance(values);
      } catch (InvocationTargetException e) {
        return context.handleInstantiationProblem(
            _valueClass, values, rewrapCtorProblem(context, e.getCause()));
      } catch (ReflectiveOperationException e) {
        return context.handleInstantiationProblem(
            _valueClass, values, rewrapCtorProblem(context, e));
      }
    }
  }
}
