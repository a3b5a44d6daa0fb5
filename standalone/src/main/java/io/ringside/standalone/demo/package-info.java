/// `ringside demo`: writes recorded incidents into log files again, line by line as they happened,
/// while a live agent, broker and streams service watch.
@NullMarked
package io.ringside.standalone.demo;

import org.jspecify.annotations.NullMarked;
