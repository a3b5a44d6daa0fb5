package io.ringside.standalone.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringside.standalone.input.Content.Usable;
import io.ringside.standalone.input.Content.Useless;
import io.ringside.standalone.input.InputFile.Kind;
import java.util.List;
import java.util.regex.Pattern;

/// Tells what a file is by looking at its first bytes; its name is not asked.
///
/// Whatever is text and no data format is a log: an NCCL log, nccl-tests output, or anything else
/// that a container printed.
final class ContentSniffer {
  /// Terminal sequences: `nvidia-smi topo -m` underlines its head even when it writes to a file.
  private static final Pattern ANSI = Pattern.compile("\u001b\\[[0-9;]*m");

  /// `GPU0   X   NV18 …` of `topo -m`; `-p2p` prints `OK`, `NS` … in these places.
  private static final Pattern TOPOLOGY_ROW =
      Pattern.compile("(?m)^\\s*GPU0\\s+X(\\s+(NV\\d+|PIX|PXB|PHB|NODE|SYS))*(\\s.*)?$");

  private static final Pattern P2P_ROW = Pattern.compile("(?m)^\\s*GPU0\\s+X\\s+(OK|NS|CNS|TNS|GNS)");

  private ContentSniffer() {}

  static Content of(Head head) {
    if (head.bytes().length == 0) {
      return new Useless("it is empty");
    }
    return NonText.recognise(head.bytes()).<Content>map(Useless::new).orElseGet(() -> text(head));
  }

  private static Content text(Head head) {
    var text = withoutMark(new String(head.bytes(), UTF_8));
    var plain = ANSI.matcher(text).replaceAll("");
    var top = plain.lines().filter(line -> !line.isBlank()).limit(1).toList();
    if (top.isEmpty()) {
      return new Useless("it has no text");
    }
    if (isGpuHeader(top.getFirst())) {
      return new Usable(Kind.GPU_SAMPLES);
    }
    if (top.getFirst().strip().startsWith("GPU0")) {
      return matrix(plain);
    }
    return DataFormat.recognise(text, head.whole())
        .<Content>map(Useless::new)
        .orElseGet(() -> new Usable(Kind.LOG));
  }

  private static Content matrix(String plain) {
    if (P2P_ROW.matcher(plain).find()) {
      return new Useless("a matrix of nvidia-smi topo -p2p; topo -m is what tells the links");
    }
    return new Usable(TOPOLOGY_ROW.matcher(plain).find() ? Kind.TOPOLOGY : Kind.LOG);
  }

  /// The head line that `nvidia-smi --query-gpu=… --format=csv` prints.
  private static boolean isGpuHeader(String line) {
    var names = List.of(line.split(",", -1)).stream().map(String::strip).toList();
    return names.size() > 2
        && names.stream().anyMatch(name -> name.equals("uuid") || name.equals("pci.bus_id"))
        && names.stream().allMatch(name -> name.matches("[a-z0-9_.]+( \\[[^\\]]*])?"));
  }

  private static String withoutMark(String text) {
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }
}
