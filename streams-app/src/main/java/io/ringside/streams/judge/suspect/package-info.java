/// The memory of nodes: which of them were blamed by findings of several jobs or runs within a day.
/// A bad host harms one job after another, while each run sees only its own trouble.
@NullMarked
package io.ringside.streams.judge.suspect;

import org.jspecify.annotations.NullMarked;
