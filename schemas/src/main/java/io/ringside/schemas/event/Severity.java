package io.ringside.schemas.event;

/// How much a finding matters, in rising order.
public enum Severity implements LabelledEnum {
  INFO,
  WARNING,
  CRITICAL
}
