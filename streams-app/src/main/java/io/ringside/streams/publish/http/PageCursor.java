package io.ringside.streams.publish.http;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The end of a page of a list: the position of its last entry in the list's order, so that pages
/// stay consistent while entries come and go. Opaque to clients.
///
/// @param limit entries of a page
/// @param after position after which this page begins, null for the beginning
record PageCursor<P extends Comparable<P>>(int limit, @Nullable P after) {
  private static final int DEFAULT_LIMIT = 1_000;
  private static final int MAX_LIMIT = 10_000;
  private static final String SEPARATOR = "\u0000";

  /// One page.
  ///
  /// @param next cursor of the next page, null if this is the last
  record Page<T>(List<T> entries, @Nullable String next) {}

  /// Reads `limit` and `cursor`.
  ///
  /// @param place makes a position from the parts that were given to {@link #write}
  /// @throws RefusedRequest if the text is not a cursor of this list
  static <P extends Comparable<P>> PageCursor<P> of(Request request, Function<String[], P> place) {
    return new PageCursor<>(
        request.parameter("limit").map(PageCursor::limit).orElse(DEFAULT_LIMIT),
        request.parameter("cursor").map(text -> read(text, place)).orElse(null));
  }

  <T> Page<T> of(List<T> sorted, Function<T, P> place, Function<P, String[]> parts) {
    var rest =
        after == null
            ? sorted
            : sorted.stream().filter(entry -> place.apply(entry).compareTo(after) > 0).toList();
    var page = rest.stream().limit(limit).toList();
    return new Page<>(
        page, rest.size() > page.size() ? write(parts.apply(place.apply(page.getLast()))) : null);
  }

  private static String write(String[] parts) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(String.join(SEPARATOR, parts).getBytes(StandardCharsets.UTF_8));
  }

  private static <P> P read(String text, Function<String[], P> place) {
    try {
      var plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
      return place.apply(plain.split(SEPARATOR, -1));
    } catch (RuntimeException e) {
      throw new RefusedRequest(
          400, "cursor must be the 'next' of an earlier answer, was '%s'".formatted(text));
    }
  }

  private static int limit(String text) {
    try {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= MAX_LIMIT) {
        return limit;
      }
    } catch (NumberFormatException ignored) {
      // refused below like a number out of range
    }
    throw new RefusedRequest(400, "limit must be 1 to %d, was '%s'".formatted(MAX_LIMIT, text));
  }
}
