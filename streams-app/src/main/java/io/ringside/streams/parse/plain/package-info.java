/// Documents that hold plain data: numbers, texts, lists and fields, read from JSON or from
/// Python's pickle form. Whoever wrote them is not trusted: size, depth and number of values are
/// bounded, and no object is ever made.
@NullMarked
package io.ringside.streams.parse.plain;

import org.jspecify.annotations.NullMarked;
