/// Reports findings on a terminal as they come, for several commands: a consumer of the findings
/// topic, and the text for each version of a finding.
@NullMarked
package io.ringside.standalone.news;

import org.jspecify.annotations.NullMarked;
