/// How programs are configured: YAML over defaults, bound to records. Every error is one sentence
/// for people that names the path of its key. Knows no key.
@NullMarked
package io.ringside.platform.config;

import org.jspecify.annotations.NullMarked;
