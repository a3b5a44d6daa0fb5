/// Findings told on a terminal as they come, by whatever command looks on: a consumer of the
/// findings topic, and what is said of each version of a finding.
@NullMarked
package io.ringside.standalone.news;

import org.jspecify.annotations.NullMarked;
