package io.ringside.streams.parse.flightrecorder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ringside.streams.parse.plain.Document;
import io.ringside.streams.parse.plain.Pickle;
import io.ringside.streams.parse.plain.PlainValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/// Reads a dump of any version, in pickle or JSON format. Never throws, whatever the bytes.
public final class DumpReader {
  private DumpReader() {}

  /// Whether a file that begins like this is a dump.
  ///
  /// @param head the first few thousand bytes of the file
  public static boolean recognises(byte[] head) {
    var text = new String(head, ISO_8859_1);
    boolean json = text.stripLeading().startsWith("{");
    return (Pickle.begins(head) || json)
        && (text.contains("pg_config")
            || text.contains("pg_status")
            || (text.contains("entries") && text.contains("profiling_name")));
  }

  /// Reads a file.
  ///
  /// @param file its path; its name gives the rank
  public static DumpReading read(String file, byte[] bytes) {
    int named = DumpName.rank(file);
    return switch (Document.of(bytes)) {
      case Document.Refused(var reason) -> new DumpReading.Refused(file, named, reason);
      case Document.Read(var root) -> read(file, named, root);
    };
  }

  private static DumpReading read(String file, int named, PlainValue root) {
    // the first dumps (torch 2.1) were the list of entries alone
    var entries = root.items().isEmpty() ? root.field("entries") : root;
    if (!root.field("pg_config").present()
        && !root.field("pg_status").present()
        && entries.item(0).field("profiling_name").text().isEmpty()) {
      return new DumpReading.Refused(file, named, "it is no dump of the flight recorder");
    }
    var groups = DumpGroups.of(root, entries);
    var calls = new ArrayList<Call>();
    for (var entry : entries.items()) {
      calls.add(DumpCalls.of(entry, groups));
    }
    calls.sort(Comparator.comparingLong(Call::record));
    boolean whole = !calls.isEmpty() && calls.getFirst().record() == 0 && consecutive(calls);
    return new DumpReading.Read(
        new Dump(
            file,
            rank(named, groups.all()),
            root.field("version").text(),
            library(root),
            groups.all(),
            calls,
            whole));
  }

  private static boolean consecutive(List<Call> calls) {
    return calls.getLast().record() == calls.size() - 1;
  }

  private static String library(PlainValue root) {
    var now = root.field("comm_lib_version").text();
    return now.isEmpty() ? root.field("nccl_version").text() : now;
  }

  /// The rank in the file's name, unless the dump's groups do not all contain it; then the only
  /// rank that all groups contain, or -1.
  private static int rank(int named, List<Group> groups) {
    var common = new HashSet<Integer>();
    boolean any = false;
    for (var group : groups) {
      if (!group.ranks().isEmpty()) {
        if (any) {
          common.retainAll(group.ranks());
        } else {
          common.addAll(group.ranks());
        }
        any = true;
      }
    }
    if (!any || common.contains(named)) {
      return named;
    }
    return common.size() == 1 ? common.iterator().next() : -1;
  }
}
