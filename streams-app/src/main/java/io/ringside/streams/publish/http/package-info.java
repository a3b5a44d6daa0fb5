/// A small read-only web server on top of the JDK's: GET and HEAD, no request bodies, limited in
/// time and number. It serves the page, the JSON API, `/metrics` and the probes.
@NullMarked
package io.ringside.streams.publish.http;

import org.jspecify.annotations.NullMarked;
