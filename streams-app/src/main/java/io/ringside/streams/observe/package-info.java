/// What Prometheus sees. All series about jobs are computed from the views at scrape time, so that
/// nothing goes stale, nothing leaks, and an instance exports exactly the jobs of its partitions.
@NullMarked
package io.ringside.streams.observe;

import org.jspecify.annotations.NullMarked;
