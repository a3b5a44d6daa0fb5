/// The command `ringside`: broker, agent and streams service in one JVM.
@NullMarked
package io.ringside.standalone;

import org.jspecify.annotations.NullMarked;
