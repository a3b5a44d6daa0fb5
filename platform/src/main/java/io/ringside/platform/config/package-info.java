/// Reads the configuration of programs: YAML over defaults, bound to records. Every error is one
/// sentence for users with the path of its key. Knows no particular keys.
@NullMarked
package io.ringside.platform.config;

import org.jspecify.annotations.NullMarked;
