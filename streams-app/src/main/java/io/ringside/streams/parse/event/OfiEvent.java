package io.ringside.streams.parse.event;

/// What the aws-ofi-nccl plugin prints after `NET/OFI `. Formats: aws-ofi-nccl 1.0.0 to 1.21.1. Its
/// WARN lines are [NcclEvent.Warning].
public sealed interface OfiEvent extends LineEvent {

  /// `Initializing aws-ofi-nccl 1.16.2`.
  record PluginVersion(String version) implements OfiEvent {}

  /// `Using Libfabric version 2.1` (since 1.8).
  record LibfabricVersion(String version) implements OfiEvent {}

  /// `Running on p4d.24xlarge platform, …` and
  /// `NCCL_OFI_TUNER is not available for platform : g6e.8xlarge, …`.
  record Platform(String instanceType) implements OfiEvent {}

  /// `Selected provider is efa, fabric is efa (found 1 nics)`; `Selected Provider` up to 1.13.2.
  ///
  /// @param nics NICs found, or -1
  record Provider(String provider, int nics) implements OfiEvent {}

  /// `No eligible providers were found` (since 1.14.1).
  record NoProvider() implements OfiEvent {}

  /// `Setting provider_filter to efa`.
  record ProviderFilter() implements OfiEvent {}
}
