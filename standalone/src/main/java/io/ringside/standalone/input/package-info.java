/// Finds out what the user's files are: walks folders, distinguishes logs, GPU recordings and
/// topologies by content, and gives the reason for every file left out.
@NullMarked
package io.ringside.standalone.input;

import org.jspecify.annotations.NullMarked;
