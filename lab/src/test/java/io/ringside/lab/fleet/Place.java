package io.ringside.lab.fleet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Where an instance runs, and by which clock.
///
/// @param host under which it is reached
/// @param prefix of its command, as that takes it into a network of its own
/// @param environment that it has beside this process's
record Place(String host, List<String> prefix, Map<String, String> environment) {
  /// This machine's loopback and this machine's clock.
  static final Place HERE = new Place("127.0.0.1", List.of(), Map.of());

  Place {
    prefix = List.copyOf(prefix);
    environment = Map.copyOf(environment);
  }

  /// The same place by another clock.
  Place by(Map<String, String> clock) {
    var all = new HashMap<>(environment);
    all.putAll(clock);
    return new Place(host, prefix, all);
  }

  List<String> command(List<String> arguments) {
    var all = new ArrayList<>(prefix);
    all.addAll(arguments);
    return all;
  }
}
