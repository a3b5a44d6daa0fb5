/// `ringside analyze`: recorded files go through the same broker, topics and streams service as
/// live ones, and a report comes out.
@NullMarked
package io.ringside.standalone.analyze;

import org.jspecify.annotations.NullMarked;
