package io.ringside.shipper.source.log.line;

/// The container runtime's format of a file's lines, if it has one.
public enum LineFormat {
  /// No format: the file holds just what the process wrote.
  PLAIN,
  /// `2026-11-20T20:42:26.942294769Z stdout F text`: containerd and CRI-O.
  CRI,
  /// `{"log":"text\n","stream":"stdout","time":"2026-11-20T20:42:26.942294769Z"}`: Docker.
  DOCKER,
  /// `2026-11-20T20:42:26.942294769Z text`: `kubectl logs --timestamps`.
  STAMPED;

  /// Recognises the format by a file's first line that is not empty.
  public static LineFormat of(byte[] bytes, int from, int to) {
    var line = new ContainerLine();
    for (LineFormat format : new LineFormat[] {CRI, DOCKER, STAMPED}) {
      if (line.parse(format, bytes, from, to)) {
        return format;
      }
    }
    return PLAIN;
  }
}
