package io.ringside.streams.parse.nvlink;

import io.ringside.streams.parse.event.NvlinkEvent;
import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;
import java.util.regex.Pattern;

/// Lines of `nvidia-smi nvlink -e`, `nvidia-smi nvlink -s` and `dcgmi nvlink -s`.
public final class NvlinkLines {
  private static final Pattern GPU =
      Pattern.compile("GPU (\\d{1,3}): (.{0,200})\\(UUID: (GPU-[-0-9A-Za-z*.]{1,60})\\)");

  private static final Pattern ERRORS =
      Pattern.compile("Link \\d{1,3}: (Replay|Recovery|CRC) Errors: (\\d{1,18})");

  /// Letters of links: up, down, disabled, not supported (DCGM's dcgmi/Nvlink.cpp).
  private static final Pattern LETTERS = Pattern.compile("[UDX_](?: [UDX_]){0,63}");

  private NvlinkLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.of("GPU #: * (UUID: GPU-*", "nvidia-smi", NvlinkLines::gpu),
          Shape.of("Link #: <inactive>*", "nvidia-smi", NvlinkLines::inactive),
          Shape.of("Link #: #*GB/s*", "nvidia-smi", NvlinkLines::active),
          Shape.of(
              "NVML: Unable to retrieve N* information as all links are in*",
              "nvidia-smi",
              NvlinkLines::none),
          Shape.of("Link #: Replay Errors: #", "nvidia-smi", NvlinkLines::errors),
          Shape.of("Link #: Recovery Errors: #", "nvidia-smi", NvlinkLines::errors),
          Shape.of("Link #: CRC Errors: #", "nvidia-smi", NvlinkLines::errors),
          Shape.of("gpuId #:", "dcgmi", NvlinkLines::listed),
          Shape.of(
              "physicalId #:",
              "dcgmi, of a switch",
              line -> line.emit(new NvlinkEvent.Gpu(-1, "", ""))),
          Shape.of("U *", "dcgmi", NvlinkLines::letters),
          Shape.of("D *", "dcgmi", NvlinkLines::letters),
          Shape.of("X *", "dcgmi", NvlinkLines::letters),
          Shape.of("_ *", "dcgmi", NvlinkLines::letters));

  private static boolean gpu(TextLine line) {
    var gpu = GPU.matcher(line.rest());
    return gpu.lookingAt()
        && line.emit(
            new NvlinkEvent.Gpu(
                Integer.parseInt(gpu.group(1)), gpu.group(3), gpu.group(2).strip()));
  }

  private static boolean listed(TextLine line) {
    int gpu = line.expect("gpuId ").integer();
    return line.good() && line.emit(new NvlinkEvent.Gpu(gpu, "dcgmi", ""));
  }

  /// `        U U D U`, below the GPU, with a letter for each link.
  private static boolean letters(TextLine line) {
    var letters = line.rest();
    if (!LETTERS.matcher(letters).matches()) {
      return false;
    }
    letters
        .chars()
        .filter(letter -> letter != ' ' && letter != '_')
        .forEach(letter -> line.emit(new NvlinkEvent.Link(letter == 'U')));
    return true;
  }

  private static boolean inactive(TextLine line) {
    return line.emit(new NvlinkEvent.Link(false));
  }

  private static boolean active(TextLine line) {
    return line.emit(new NvlinkEvent.Link(true));
  }

  private static boolean none(TextLine line) {
    return line.emit(new NvlinkEvent.NoLinks());
  }

  private static boolean errors(TextLine line) {
    var errors = ERRORS.matcher(line.rest());
    return errors.lookingAt()
        && line.emit(
            new NvlinkEvent.Errors(
                errors.group(1).equals("Recovery"), Long.parseLong(errors.group(2))));
  }
}
