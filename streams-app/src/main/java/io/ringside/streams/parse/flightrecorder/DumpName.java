package io.ringside.streams.parse.flightrecorder;

import java.util.regex.Pattern;

/// The rank in a dump's file name. PyTorch appends it to the prefix in `TORCH_FR_DUMP_TEMP_FILE`
/// (such as `/tmp/nccl_trace_rank_`), which may be any text.
public final class DumpName {
  private static final Pattern LAST_NUMBER = Pattern.compile("(\\d{1,7})(?:\\.[A-Za-z]+)*$");

  private DumpName() {}

  /// The rank, -1 if the name does not end with a number.
  public static int rank(String file) {
    var matcher = LAST_NUMBER.matcher(file);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
  }
}
