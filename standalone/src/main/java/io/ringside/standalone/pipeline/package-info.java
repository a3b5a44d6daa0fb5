/// The production path in one JVM: an embedded broker, the real streams service, and how to tell
/// that everything sent was judged.
@NullMarked
package io.ringside.standalone.pipeline;

import org.jspecify.annotations.NullMarked;
