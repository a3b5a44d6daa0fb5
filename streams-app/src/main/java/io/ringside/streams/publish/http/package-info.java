/// A small read-only web server on the JDK's own: GET and HEAD, no request bodies, bounded in time
/// and number. It serves the page, the JSON API, `/metrics` and the probes.
@NullMarked
package io.ringside.streams.publish.http;

import org.jspecify.annotations.NullMarked;
