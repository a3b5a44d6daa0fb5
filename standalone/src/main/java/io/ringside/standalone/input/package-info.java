/// Finds out what the files are that a user points at: walks folders, tells logs, GPU recordings
/// and topologies apart by content, and says of everything else why it is left out.
@NullMarked
package io.ringside.standalone.input;

import org.jspecify.annotations.NullMarked;
