package io.ringside.streams.topology;

import io.ringside.schemas.event.GpuSample;
import io.ringside.streams.node.NodeJoin;
import io.ringside.streams.node.RecentSamples;
import io.ringside.streams.state.PackedInput;
import io.ringside.streams.state.StoredSamples;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

/// GPU readings by node → readings by the job whose process owns the GPU.
final class GpuProcessor extends NodeProcessor<GpuSample> {
  private final ServicePace pace;
  private RecentSamples samples;

  @SuppressWarnings("NullAway.Init") // init sets the stores
  GpuProcessor(NodeJoin join, ServicePace pace) {
    super(join);
    this.pace = pace;
  }

  @Override
  public void init(ProcessorContext<String, PackedInput> context) {
    super.init(context);
    KeyValueStore<String, GpuSample> slots = context.getStateStore(Stores.SAMPLES);
    samples = new StoredSamples(slots, pace.samples());
  }

  @Override
  public void process(Record<String, GpuSample> record) {
    var node = nodes.get(record.value().node());
    forward(record, join.sample(record.value(), node, samples));
  }
}
