@NullMarked
package io.ringside.streams.config;

import org.jspecify.annotations.NullMarked;
