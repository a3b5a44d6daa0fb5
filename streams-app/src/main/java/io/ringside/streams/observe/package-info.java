/// What Prometheus scrapes. All series about jobs are computed from the views at scrape time. So no
/// series becomes stale, none leaks, and an instance exports exactly the jobs of its partitions.
@NullMarked
package io.ringside.streams.observe;

import org.jspecify.annotations.NullMarked;
