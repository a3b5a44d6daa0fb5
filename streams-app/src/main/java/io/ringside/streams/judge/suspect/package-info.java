/// The memory of nodes: which of them findings of several jobs or runs have blamed within a day.
/// Bad hosts follow users around, while each run sees its own misfortune only.
@NullMarked
package io.ringside.streams.judge.suspect;

import org.jspecify.annotations.NullMarked;
