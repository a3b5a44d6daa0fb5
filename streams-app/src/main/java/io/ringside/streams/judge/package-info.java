/// Judges a run with all detectors: combines their findings, ties effects to their causes, and
/// holds findings that come and go. The list of detectors is here.
@NullMarked
package io.ringside.streams.judge;

import org.jspecify.annotations.NullMarked;
