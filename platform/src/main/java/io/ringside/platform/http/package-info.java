/// The HTTP server used by all programs: who may send requests, which requests are allowed, and how
/// long they may take. All in one place, so that a rule applies to all programs.
@NullMarked
package io.ringside.platform.http;

import org.jspecify.annotations.NullMarked;
