package io.ringside.streams.publish.http;

import io.ringside.schemas.serde.EventJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The page: a few static files from the jar, held in memory, revalidated by ETag. Its data come
/// from the API.
public final class PageEndpoint implements Endpoint {
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private static final List<String> SCRIPTS =
      List.of(
          "app.js",
          "bill.js",
          "campaign.js",
          "difference.js",
          "dom.js",
          "finding.js",
          "fleet.js",
          "gpus.js",
          "grid.js",
          "history.js",
          "job.js",
          "keywords.js",
          "links.js",
          "markdown.js",
          "matrix.js",
          "nodes.js",
          "places.js",
          "terms.js",
          "timeline.js",
          "told.js",
          "waits.js",
          "wide.js");

  private final Map<String, Asset> assets = new HashMap<>();

  /// @param runbooks address of the folder of runbooks for people's browsers; empty if there is
  ///   none
  public PageEndpoint(String runbooks) {
    assets.put("links.json", Asset.of("application/json", links(runbooks)));
    assets.put("", asset("index.html", "text/html; charset=utf-8"));
    assets.put("app.css", asset("app.css", "text/css; charset=utf-8"));
    assets.put("favicon.svg", asset("favicon.svg", "image/svg+xml"));
    SCRIPTS.forEach(name -> assets.put(name, asset(name, SCRIPT)));
  }

  /// The page's scripts, by path.
  static List<String> scripts() {
    return SCRIPTS;
  }

  @Override
  public Optional<Response> answer(Request request) {
    return Optional.ofNullable(assets.get(String.join("/", request.path())))
        .map(asset -> asset.answer(request));
  }

  private static byte[] links(String runbooks) {
    return EventJson.MAPPER.writeValueAsBytes(new Links(runbooks));
  }

  /// Settings that the page cannot know by itself.
  private record Links(String runbooks) {}

  private static Asset asset(String name, String type) {
    var path = "/web/" + name;
    try (InputStream in = PageEndpoint.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is missing from the class path");
      }
      return Asset.of(type, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] body) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(body);
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Asset(String type, String etag, byte[] body) {
    static Asset of(String type, byte[] body) {
      return new Asset(type, "\"" + digest(body) + "\"", body);
    }

    Response answer(Request request) {
      var headers = Map.of("ETag", etag, "Cache-Control", "no-cache");
      return request.etag().equals(etag)
          ? new Response(304, type, headers, new byte[0])
          : new Response(200, type, headers, body);
    }
  }
}
