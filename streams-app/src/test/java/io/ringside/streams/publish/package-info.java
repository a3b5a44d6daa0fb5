@NullMarked
package io.ringside.streams.publish;

import org.jspecify.annotations.NullMarked;
