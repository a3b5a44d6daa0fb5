package io.ringside.lab.evaluate;

import io.ringside.lab.simulate.Framework;
import io.ringside.lab.simulate.JobPlan;
import io.ringside.lab.simulate.LogCollection;
import io.ringside.lab.simulate.Names;
import io.ringside.lab.simulate.Output;
import io.ringside.lab.simulate.Restarts;
import io.ringside.lab.simulate.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// One assumption of the generator, changed. The plans of jobs are drawn as ever; their truth is
/// worked out anew.
///
/// @param assumption its field or rule, with what it becomes
record Mutation(String assumption, UnaryOperator<JobPlan> of) {

  /// A mutation for each field of the noise, and for each rule of schedule, clocks and output.
  static List<Mutation> all() {
    var all = new ArrayList<Mutation>();
    all.addAll(noise());
    all.addAll(schedules());
    all.addAll(outputs());
    return List.copyOf(all);
  }

  /// By field, what it becomes: more than is drawn, and still what somebody's cluster does.
  private static List<Mutation> noise() {
    return List.of(
        noise("unevenness.jitter", 0.3),
        noise("unevenness.imbalance", 0.15),
        noise("unevenness.tail", 0.05),
        noise("unevenness.tailShare", 0.8),
        noise("unevenness.tailExponent", 1.5),
        noise("unevenness.held", 0.01),
        noise("unevenness.heldShare", 0.15),
        noise("unevenness.heldSteps", 400),
        noise("pauses.collectEvery", 15),
        noise("pauses.collectSeconds", 1.5),
        noise("pauses.perStep", 0.01),
        noise("pauses.seconds", 0.5),
        noise("pauses.loaderPerStep", 0.01),
        noise("pauses.loaderSeconds", 8.0),
        noise("duties.checkpointEvery", 12),
        noise("duties.checkpointSeconds", 60.0),
        noise("duties.checkpointAlone", 90.0),
        noise("duties.evaluateEvery", 20),
        noise("duties.evaluateSeconds", 60.0),
        noise("duties.evaluateAlone", 90.0),
        noise("duties.logEvery", 1),
        noise("duties.logSeconds", 0.5),
        noise("clocks.skew", 2.0),
        noise("clocks.drift", 2e-4),
        noise("clocks.steps", 4),
        noise("clocks.stepSeconds", 20.0),
        noise("clocks.strays", 3),
        noise("chatter", 5.0),
        noise("strangers", 10));
  }

  private static List<Mutation> schedules() {
    return List.of(
        schedule("syncEvery", 25),
        schedule("blocking", false),
        schedule("depth", 1),
        new Mutation("schedule.pipeline.fill 0.2", plan -> pipeline(plan, "fill")),
        new Mutation("schedule.pipeline.drain 0.2", plan -> pipeline(plan, "drain")));
  }

  private static List<Mutation> outputs() {
    var all = new ArrayList<Mutation>();
    for (var output :
        List.of(Output.NCCL_SECONDS, Output.NCCL_MICROS, Output.READ, Output.BLOCKS)) {
      all.add(
          new Mutation(
              "output " + output,
              plan ->
                  plan.setting().gathering() != LogCollection.A_FILE_A_POD
                          || (output == Output.NCCL_MICROS && !plan.version().stamps())
                      ? plan
                      : RecordCopy.with(plan, "output", output)));
    }
    for (var names : Names.values()) {
      all.add(
          new Mutation(
              "names " + names,
              plan ->
                  plan.podsPerNode() > 1 || plan.setting().gathering() != LogCollection.A_FILE_A_POD
                      ? plan
                      : RecordCopy.with(plan, "setting.names", names)));
    }
    for (var gathering : LogCollection.values()) {
      if (gathering != LogCollection.A_FILE_A_POD) {
        all.add(new Mutation("one file " + gathering, plan -> together(plan, gathering)));
      }
    }
    all.add(
        new Mutation(
            "a process a pod",
            plan ->
                plan.restarts().equals(Restarts.NONE)
                    ? RecordCopy.with(
                        RecordCopy.with(plan, "framework", Framework.NONE),
                        "setting.processAPod",
                        true)
                    : plan));
    all.add(
        new Mutation("no GPU samples", plan -> RecordCopy.with(plan, "agents.sampleSeconds", 0)));
    all.add(
        new Mutation("no topology", plan -> RecordCopy.with(plan, "agents.topologyKnown", false)));
    all.add(
        new Mutation("no step lines", plan -> RecordCopy.with(plan, "framework", Framework.NONE)));
    all.add(new Mutation("PyTorch at INFO", plan -> RecordCopy.with(plan, "torchLines", true)));
    return all;
  }

  private static Mutation noise(String field, Object value) {
    return new Mutation(
        "noise.%s %s".formatted(field, value),
        plan -> RecordCopy.with(plan, "noise." + field, value));
  }

  private static Mutation schedule(String field, Object value) {
    return new Mutation(
        "schedule.%s %s".formatted(field, value),
        plan -> RecordCopy.with(plan, "schedule." + field, value));
  }

  private static JobPlan pipeline(JobPlan plan, String field) {
    return plan.schedule().pipeline().stages() == 1
        ? plan
        : RecordCopy.with(plan, "schedule.pipeline." + field, 0.2);
  }

  private static JobPlan together(JobPlan plan, LogCollection gathering) {
    boolean can =
        plan.nodes() > 1
            && plan.podsPerNode() == 1
            && plan.restarts().equals(Restarts.NONE)
            && plan.podsWithLogs() == plan.pods()
            && plan.faults().isEmpty();
    if (!can) {
      return plan;
    }
    var names = gathering == LogCollection.KUBECTL ? Names.MASTER : Names.HOSTS;
    var changed = RecordCopy.with(plan, "setting", new Setting(names, gathering, false));
    return RecordCopy.with(
        RecordCopy.with(changed, "output", Output.READ),
        "agents.sampleSeconds",
        gathering == LogCollection.KUBECTL ? 0 : plan.agents().sampleSeconds());
  }
}
