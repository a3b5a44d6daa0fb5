package io.ringside.streams.parse.flightrecorder;

import io.ringside.streams.parse.plain.PlainValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// The groups of a dump. `pg_config` names them, and `pg_status` counts their calls under another
/// number. The entries show which number belongs to which name. Where they do not, the order in
/// which the groups were made decides.
final class DumpGroups {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

  /// Highest number of groups of a rank; a program makes some dozens.
  private static final int MOST_GROUPS = 4_096;

  private final Map<String, Group> byName = new LinkedHashMap<>();
  private final Map<String, String> nameOfNumber = new HashMap<>();

  private DumpGroups() {}

  static DumpGroups of(PlainValue root, PlainValue entries) {
    var groups = new DumpGroups();
    groups.numbers(entries, root);
    groups.named(entries, root.field("pg_config"), root.field("pg_status"));
    return groups;
  }

  List<Group> all() {
    return List.copyOf(byName.values());
  }

  /// The group that an entry belongs to.
  Group of(PlainValue entry) {
    var name = name(entry);
    var known = byName.get(name);
    return known == null
        ? new Group(name, entry.field("process_group").item(1).text(), List.of(), -1, -1, -1)
        : known;
  }

  private static String name(PlainValue entry) {
    var name = text(entry.field("process_group").item(0));
    if (!name.isEmpty()) {
      return name;
    }
    var old = text(entry.field("pg_name"));
    return old.isEmpty() ? text(entry.field("pg_id")) : old;
  }

  private void numbers(PlainValue entries, PlainValue root) {
    for (var entry : entries.items()) {
      var number = text(entry.field("pg_id"));
      if (!number.isEmpty()) {
        nameOfNumber.putIfAbsent(number, name(entry));
      }
    }
    var names = ordered(root.field("pg_config"));
    var counted = ordered(root.field("pg_status"));
    if (names.size() != counted.size()) {
      return;
    }
    for (int i = 0; i < names.size(); i++) {
      var told = nameOfNumber.get(counted.get(i));
      if (told != null && !told.equals(names.get(i))) {
        return; // the order does not hold here
      }
    }
    for (int i = 0; i < names.size(); i++) {
      nameOfNumber.put(counted.get(i), names.get(i));
    }
  }

  private static List<String> ordered(PlainValue fields) {
    var names = new ArrayList<>(fields.fields().keySet());
    if (names.stream().allMatch(name -> NUMBER.matcher(name).matches())) {
      names.sort(Comparator.comparingInt(Integer::parseInt));
    }
    return names;
  }

  private void named(PlainValue entries, PlainValue config, PlainValue status) {
    var statusOfName = new HashMap<String, PlainValue>();
    status
        .fields()
        .forEach(
            (number, said) -> {
              var name = nameOfNumber.get(number);
              if (name != null) {
                statusOfName.put(name, said);
              }
            });
    config.fields().forEach((name, said) -> add(name, said, statusOfName));
    for (var entry : entries.items()) {
      var name = name(entry);
      var said = entry.field("process_group").item(1);
      var known = byName.get(name);
      if (known == null) {
        add(name, said, statusOfName);
      } else if (known.description().isEmpty()) {
        byName.put(name, known.described(said.text()));
      }
    }
  }

  private void add(String name, PlainValue said, Map<String, PlainValue> statusOfName) {
    if (byName.size() >= MOST_GROUPS) {
      return;
    }
    var status = statusOfName.getOrDefault(name, PlainValue.none());
    var described = said.field("desc").text();
    byName.put(
        name,
        new Group(
            name,
            described.isEmpty() ? said.text() : described,
            ranks(said.field("ranks")),
            status.field("last_enqueued_collective").whole(-1),
            status.field("last_started_collective").whole(-1),
            status.field("last_completed_collective").whole(-1)));
  }

  /// The ranks, from a list or from a text such as `[0, 1, 2]`.
  private static List<Integer> ranks(PlainValue said) {
    var ranks = new ArrayList<Integer>();
    said.items().forEach(rank -> ranks.add((int) rank.whole(-1)));
    var matcher = NUMBER.matcher(said.text());
    while (matcher.find()) {
      ranks.add(Integer.parseInt(matcher.group()));
    }
    return ranks;
  }

  private static String text(PlainValue value) {
    return value instanceof PlainValue.Whole(var number) ? Long.toString(number) : value.text();
  }
}
