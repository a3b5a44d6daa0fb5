/// Advises on placement: which traffic another placement of a run's ranks would keep inside a
/// machine.
@NullMarked
package io.ringside.streams.detect.advice;

import org.jspecify.annotations.NullMarked;
