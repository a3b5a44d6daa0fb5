/// `ringside analyze`: runs recorded files through the stages of the streams service and prints a
/// report.
@NullMarked
package io.ringside.standalone.analyze;

import org.jspecify.annotations.NullMarked;
