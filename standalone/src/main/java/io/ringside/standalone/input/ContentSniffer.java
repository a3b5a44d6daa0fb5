package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.shipper.source.export.Export;
import io.ringside.shipper.source.gpu.SmiText;
import io.ringside.shipper.source.topology.TopologyMatrix;
import io.ringside.standalone.input.Content.Usable;
import io.ringside.standalone.input.Content.Useless;
import io.ringside.standalone.input.InputFile.Kind;
import io.ringside.streams.witness.WitnessFile;
import java.util.List;
import java.util.regex.Pattern;

/// Recognises a file's content by its first bytes, regardless of its name.
///
/// Any text that is not a data format counts as a log: an NCCL log, nccl-tests output, or anything
/// else that a container printed.
final class ContentSniffer {
  /// Terminal escape sequences: `nvidia-smi topo -m` underlines its head even when it writes to a
  /// file.
  private static final Pattern ANSI = Pattern.compile("\u001b\\[[0-9;]*m");

  /// The first row of `topo -p2p`, which contains `OK`, `NS` … instead of `topo -m`'s `NV18`,
  /// `NODE` ….
  private static final Pattern P2P_ROW =
      Pattern.compile("(?m)^\\s*GPU0\\s+X\\s+(OK|NS|CNS|TNS|GNS)");

  private ContentSniffer() {}

  static Content of(Head head) {
    if (head.bytes().length == 0) {
      return new Useless("it is empty");
    }
    if (WitnessFile.of(head.bytes()).isPresent()) {
      return new Usable(Kind.WITNESS);
    }
    return NonText.recognise(head.bytes()).<Content>map(Useless::new).orElseGet(() -> text(head));
  }

  private static Content text(Head head) {
    var text = Export.withoutMark(new String(head.bytes(), UTF_8));
    var plain = text.indexOf('\u001b') < 0 ? text : ANSI.matcher(text).replaceAll("");
    var top = plain.lines().filter(line -> !line.isBlank()).limit(1).toList();
    if (top.isEmpty()) {
      return new Useless("it has no text");
    }
    if (SmiText.recognises(plain)) {
      return new Usable(
          SmiText.queried(plain) || SmiText.mixed(plain)
              ? List.of(Kind.GPU_SAMPLES, Kind.LOG) // states of GPUs are read as log lines
              : List.of(Kind.GPU_SAMPLES));
    }
    if (Export.recognise(head.bytes(), head.bytes().length) != null) {
      return new Usable(Kind.LOG);
    }
    if (top.getFirst().strip().startsWith("GPU0")) {
      return matrix(plain, head.whole());
    }
    return DataFormat.recognise(text, head.whole())
        .orElseGet(
            () ->
                new Usable(
                    SmiText.mixed(plain)
                        ? List.of(Kind.LOG, Kind.GPU_SAMPLES)
                        : List.of(Kind.LOG)));
  }

  /// Accepts only a matrix alone, since container logs may begin with one as well.
  private static Content matrix(String plain, boolean whole) {
    if (!whole || plain.contains("NCCL")) {
      return new Usable(Kind.LOG);
    }
    if (P2P_ROW.matcher(plain).find()) {
      return new Useless("a matrix of nvidia-smi topo -p2p; topo -m is what tells the links");
    }
    return new Usable(TopologyMatrix.recognises(plain) ? Kind.TOPOLOGY : Kind.LOG);
  }
}
