/// The production path in one JVM: an embedded broker, the real streams service, and a check that
/// everything sent has been judged.
@NullMarked
package io.ringside.standalone.pipeline;

import org.jspecify.annotations.NullMarked;
