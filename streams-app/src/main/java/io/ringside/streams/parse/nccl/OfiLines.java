package io.ringside.streams.parse.nccl;

import io.ringside.streams.parse.event.NcclEvent;
import io.ringside.streams.parse.event.OfiEvent;
import io.ringside.streams.parse.scan.Shape;
import java.util.List;

/// The aws-ofi-nccl plugin, spellings of 1.0.0 to 1.21.1 (src/nccl_ofi_net.cpp,
/// src/platform-aws.cpp, src/nccl_ofi_rdma.cpp).
final class OfiLines {

  private OfiLines() {}

  static final List<Shape<NcclMessage>> SHAPES =
      List.of(
          Shape.behind("NET/OFI Initializing aws-ofi-nccl *", "1.7.1+", OfiLines::plugin),
          Shape.behind("NET/OFI Using aws-ofi-nccl *", "1.1.4 to 1.7.0", OfiLines::plugin),
          Shape.behind("NET/OFI Using Libfabric version *", "1.8+", OfiLines::libfabric),
          Shape.behind("NET/OFI Running on * platform, *", "1.1.1+", OfiLines::platform),
          Shape.of(
              "NET/OFI NCCL_OFI_TUNER is not available for platform : *",
              "1.13+",
              OfiLines::tunerPlatform),
          Shape.of(
              "NET/OFI NCCL_OFI_TUNER_TYPE is Internal, *platform : *",
              "1.13+",
              OfiLines::tunerPlatform),
          Shape.of(
              "NET/OFI Model base Tuner is chosen for platform: *",
              "1.13+",
              OfiLines::tunerPlatform),
          Shape.of(
              "NET/OFI Region base Tuner is chosen for platform: *",
              "1.13+",
              OfiLines::tunerPlatform),
          Shape.behind("NET/OFI Selected Provider is *", "1.0 to 1.13.2", OfiLines::provider),
          Shape.behind("NET/OFI Selected provider is *", "1.14+", OfiLines::provider),
          Shape.of("NET/OFI No eligible providers were found*", "1.14.1+", OfiLines::noProvider),
          Shape.of(
              "NET/OFI aws-ofi-nccl initialization failed*",
              "1.4 to 1.7",
              m -> m.emit(new NcclEvent.NetPluginFailed("AWS Libfabric"))),
          Shape.behind(
              "NET/OFI Setting provider_filter to *",
              "1.6+",
              m -> m.emit(new OfiEvent.ProviderFilter())),
          Shape.behind("NET/OFI Adding *=* to environment", "1.16+", OfiLines::adding),
          Shape.behind(
              "NET/OFI Setting * environment variable to *", "1.1 to 1.15", OfiLines::setting),
          Shape.of(
              "NET/OFI Setting NCCL_PROTO to \"simple\"*", "1.6 to 1.14", OfiLines::protoSimple),
          Shape.ignored("NET/OFI Setting FI_OPT_*", "1.7.3+"),
          Shape.ignored("NET/OFI *", "1.0+"));

  private static boolean plugin(NcclMessage message) {
    var version = message.word();
    return message.good() && message.emit(new OfiEvent.PluginVersion(version));
  }

  private static boolean libfabric(NcclMessage message) {
    var version = message.word();
    return message.good() && message.emit(new OfiEvent.LibfabricVersion(version));
  }

  /// `Running on p4d.24xlarge platform, topology file …`, before 1.16
  /// `…, Setting NCCL_TOPO_FILE environment variable to …`.
  private static boolean platform(NcclMessage message) {
    var type = message.before(" platform");
    if (message.bad()) {
      return false;
    }
    message.emit(new OfiEvent.Platform(type));
    if (message.find("Setting NCCL_TOPO_FILE environment variable to ")) {
      message.emit(new NcclEvent.EnvironmentSet("NCCL_TOPO_FILE", message.rest(), true));
    }
    return true;
  }

  private static boolean tunerPlatform(NcclMessage message) {
    message.seek("platform");
    message.blanks().expect(":");
    message.blanks();
    var word = message.word();
    var type = word.endsWith(",") ? word.substring(0, word.length() - 1) : word;
    return message.good() && message.emit(new OfiEvent.Platform(type));
  }

  /// `Selected provider is efa, fabric is efa-direct (found 1 nics)`; early versions lack the
  /// fabric and the count.
  private static boolean provider(NcclMessage message) {
    var word = message.word();
    var name = word.endsWith(",") ? word.substring(0, word.length() - 1) : word;
    if (message.skip(" fabric is ")) {
      message.word();
    }
    var nics = message.skip(" (found ") ? message.integer() : -1;
    return message.good() && message.emit(new OfiEvent.Provider(name, nics));
  }

  private static boolean noProvider(NcclMessage message) {
    return message.emit(new OfiEvent.NoProvider());
  }

  private static boolean adding(NcclMessage message) {
    var name = message.before("=");
    var rest = message.rest();
    var to = rest.lastIndexOf(" to environment");
    return message.good()
        && to >= 0
        && message.emit(new NcclEvent.EnvironmentSet(name, rest.substring(0, to), true));
  }

  private static boolean setting(NcclMessage message) {
    var name = message.before(" environment variable to ");
    var value = message.rest();
    return message.good() && message.emit(new NcclEvent.EnvironmentSet(name, dotless(value), true));
  }

  private static String dotless(String value) {
    return value.equals("1.") ? "1" : value;
  }

  private static boolean protoSimple(NcclMessage message) {
    return message.emit(new NcclEvent.EnvironmentSet("NCCL_PROTO", "simple", true));
  }
}
