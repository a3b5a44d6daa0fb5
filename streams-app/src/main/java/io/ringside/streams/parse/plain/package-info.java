/// Documents of plain data: numbers, texts, lists and fields, read from JSON or from Python's
/// pickle format. The input is not trusted: size, depth and number of values are limited, and no
/// object of the document's choice is ever made.
@NullMarked
package io.ringside.streams.parse.plain;

import org.jspecify.annotations.NullMarked;
