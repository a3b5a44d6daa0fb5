package io.ringside.shipper.source.log.line;

import io.ringside.schemas.event.LogChunk;

/// Parses one physical line of a container's log. Reused from line to line. The content is a range
/// of `bytes`, which is the caller's array or, for Docker's escaped text, an internal one. Not
/// thread-safe.
public final class ContainerLine {
  private final StampReader stamps = new StampReader();
  private final DockerJson docker = new DockerJson(stamps);

  public byte[] bytes = new byte[0];
  public int from;
  public int to;

  /// Unix epoch nanoseconds.
  public long nanos = LogChunk.NO_TIME;

  /// 0 for stdout, 1 for stderr.
  public int stream;

  /// Whether the line continues in the stream's next physical line.
  public boolean partial;

  /// Parses `[start, end)`. Returns false if it does not have this format; the fields are then
  /// undefined.
  public boolean parse(LineFormat format, byte[] line, int start, int end) {
    return switch (format) {
      case PLAIN -> false;
      case CRI -> parseCri(line, start, end);
      case DOCKER -> parseDocker(line, start, end);
      case STAMPED -> parseStamped(line, start, end);
    };
  }

  private boolean parseCri(byte[] line, int start, int end) {
    int space = stampEnd(line, start, end);
    // " stdout F": the tag is one letter, more tags may follow after colons
    int tag = space + 8;
    if (space < 0
        || tag >= end
        || line[space + 1] != 's'
        || line[space + 2] != 't'
        || line[space + 3] != 'd'
        || line[space + 7] != ' '
        || (line[tag] != 'F' && line[tag] != 'P')) {
      return false;
    }
    int text = tag + 1;
    while (text < end && line[text] != ' ') {
      text++;
    }
    long time = stamps.nanos(line, start, space);
    if (time == LogChunk.NO_TIME) {
      return false;
    }
    nanos = time;
    stream = line[space + 4] == 'e' ? 1 : 0;
    partial = line[tag] == 'P';
    bytes = line;
    from = Math.min(text + 1, end);
    to = end;
    return true;
  }

  private boolean parseStamped(byte[] line, int start, int end) {
    int space = stampEnd(line, start, end);
    if (space < 0) {
      return false;
    }
    long time = stamps.nanos(line, start, space);
    if (time == LogChunk.NO_TIME) {
      return false;
    }
    int text = Math.min(space + 1, end);
    if (parseCri(line, text, end)) {
      return true;
    }
    // the time nearest to the text is the one written by the program
    int inner = stampEnd(line, text, end);
    long own = inner < 0 ? LogChunk.NO_TIME : stamps.nanos(line, text, inner);
    nanos = own == LogChunk.NO_TIME ? time : own;
    stream = 0;
    partial = false;
    bytes = line;
    from = own == LogChunk.NO_TIME ? text : Math.min(inner + 1, end);
    to = end;
    return true;
  }

  private boolean parseDocker(byte[] line, int start, int end) {
    if (!docker.parse(line, start, end)) {
      return false;
    }
    nanos = docker.nanos;
    stream = docker.stderr ? 1 : 0;
    bytes = docker.text;
    from = 0;
    to = docker.length;
    partial = to == 0 || bytes[to - 1] != '\n';
    if (!partial) {
      to--;
    }
    return true;
  }

  /// Index of the space after the time, or -1.
  private static int stampEnd(byte[] line, int start, int end) {
    if (end - start < StampReader.SHORTEST || line[start + 10] != 'T') {
      return -1;
    }
    int longest = Math.min(end, start + 37);
    for (int i = start + StampReader.SHORTEST; i < longest; i++) {
      if (line[i] == ' ') {
        return i;
      }
    }
    return end - start <= 36 ? end : -1;
  }
}
