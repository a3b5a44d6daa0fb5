/// Finds files: by globs, and the rotated files beside a log. Opens a file only to recognise it.
@NullMarked
package io.ringside.shipper.source.log.find;

import org.jspecify.annotations.NullMarked;
