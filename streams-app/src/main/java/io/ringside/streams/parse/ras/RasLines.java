package io.ringside.streams.parse.ras;

import io.ringside.streams.parse.scan.Shape;
import io.ringside.streams.parse.scan.TextLine;
import java.util.List;

/// The lines of an answer within a log. They are known but ignored here: [RasAnswers] reads whole
/// answers.
public final class RasLines {

  private RasLines() {}

  /// The family's shapes.
  public static final List<Shape<TextLine>> SHAPES =
      List.of(
          Shape.ignored("\"nccl_version\": *", "2.28.7+"),
          Shape.ignored("{\"nccl_version\":*", "2.28.7+"),
          Shape.ignored("\"event\": \"PEER_*", "2.29.2+"),
          Shape.ignored("[*] PEER_*", "2.29.2+"),
          Shape.ignored("RAS Monitor Mode - watching for peer changes*", "2.29.2+"),
          Shape.ignored("Communicator ranks have different * counts", "2.24.3+"),
          Shape.ignored("# ranks have launched up to operation #", "2.24.3+"),
          Shape.ignored("# rank has launched up to operation #", "2.24.3+"),
          Shape.ignored("Rank # -- GPU # managed by process # on node *", "2.24.3+"));
}
