/// `ringside demo`: recorded incidents are written into log files again, line by line as it
/// happened, while a live agent, broker and streams service watch.
@NullMarked
package io.ringside.standalone.demo;

import org.jspecify.annotations.NullMarked;
