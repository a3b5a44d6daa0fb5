package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;

/// Lines about network plugins: which one was looked for, loaded, initialised and given to a
/// communicator (src/plugin/net.cc, before 2.27 src/net.cc).
final class PluginLines {

  private PluginLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.behind("NET/Plugin: Loaded net plugin *", "2.13.4+", PluginLines::loaded),
          Shape.of("NET/Plugin: Could not find:*", "2.22.3+", PluginLines::notFound),
          Shape.of("NET/Plugin : No plugin found*", "to 2.18", PluginLines::noPlugin),
          Shape.of("NET/Plugin: No plugin found*", "2.21.5", PluginLines::noPlugin),
          Shape.of("NET/Plugin : dlerror=* No plugin found*", "2.19, 2.20", PluginLines::noPlugin),
          Shape.of("NET/Plugin: *: cannot open shared object*", "2.22+", PluginLines::unloadable),
          Shape.of("NET/Plugin: *: undefined symbol*", "2.22+", PluginLines::unloadable),
          Shape.of("NET/Plugin: *: version *not found*", "2.22+", PluginLines::unloadable),
          Shape.of("External network plugin * is unsupported", "2.28.3+", PluginLines::unsupported),
          Shape.of(
              "NET/Plugin: Failed to find ncclNetPlugin symbol (>= v5)*",
              "2.19.1 to 2.25.1",
              m -> m.emit(new NcclEvent.NetPluginMissing(""))),
          Shape.behind("Initialized NET plugin *", "2.27.3+", PluginLines::initialised),
          Shape.behind("Failed to initialize NET plugin *", "2.28.3+", PluginLines::failed),
          Shape.ignored("Assigned NET plugin * to comm", "2.27.3+"),
          Shape.behind("Using network *", "2.6.4+", PluginLines::chosen),
          Shape.ignored("NET/Plugin: Plugin load returned *", "2.21.5"),
          Shape.ignored("NET/Plugin: *", "2.12+"),
          Shape.ignored("NET/Plugin : *", "to 2.20"),
          Shape.ignored("TUNER/Plugin: *", "2.19+"),
          Shape.ignored("PROFILER/Plugin: *", "2.23+"),
          Shape.ignored("ENV/Plugin: *", "2.28+"),
          Shape.ignored("GIN/Plugin: *", "2.28+"),
          Shape.ignored("RMA/Plugin: *", "2.29+"),
          Shape.ignored("Successfully loaded external *", "2.27.3+"));

  /// `Loaded net plugin Libfabric (v10)`; the name may contain blanks.
  private static boolean loaded(NcclMessage message) {
    var name = message.before(" (v");
    return message.good() && message.emit(new NcclEvent.NetPluginLoaded(name));
  }

  /// `Could not find: libnccl-net.so. Using internal network plugin.`; 2.28 ends after the name.
  private static boolean notFound(NcclMessage message) {
    var rest = message.seek("Could not find:").rest();
    var using = rest.indexOf(". Using");
    var library = using >= 0 ? rest.substring(0, using) : rest;
    return message.good() && message.emit(new NcclEvent.NetPluginMissing(dotless(library)));
  }

  private static String dotless(String name) {
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  /// `No plugin found (libnccl-net.so), using internal implementation`, in 2.19 and 2.20 after
  /// `dlerror=… cannot open …`.
  private static boolean noPlugin(NcclMessage message) {
    message.seek("No plugin found");
    var library = message.skip(" (") ? message.until(')') : "";
    return message.good() && message.emit(new NcclEvent.NetPluginMissing(library));
  }

  /// `NET/Plugin: libfabric.so.1: cannot open shared object file: …`, since 2.28 with the plugin's
  /// name in front.
  private static boolean unloadable(NcclMessage message) {
    var library = message.expect("NET/Plugin: ").before(": ");
    return message.good() && message.emit(new NcclEvent.NetPluginMissing(library));
  }

  private static boolean unsupported(NcclMessage message) {
    var library = message.expect("External network plugin ").before(" is unsupported");
    return message.good() && message.emit(new NcclEvent.NetPluginMissing(library));
  }

  private static boolean initialised(NcclMessage message) {
    var name = message.rest();
    return message.emit(new NcclEvent.NetPluginInitialised(name));
  }

  private static boolean failed(NcclMessage message) {
    var name = message.rest();
    return message.emit(new NcclEvent.NetPluginFailed(name));
  }

  private static boolean chosen(NcclMessage message) {
    var name = message.restWithoutNote();
    return !name.isEmpty() && message.emit(new NcclEvent.NetworkChosen(name));
  }
}
