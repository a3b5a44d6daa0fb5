@NullMarked
package io.ringside.streams.observe;

import org.jspecify.annotations.NullMarked;
