package io.ringside.shipper.source.topology;

import io.ringside.schemas.event.NodeTopology;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The links between GPUs as `nvidia-smi topo -m` prints them. Columns of NICs, the affinities and
/// the legend are ignored; so are colours, and whether tabs or spaces separate the columns.
///
/// @param links `links[i][j]` from GPU i to GPU j: `X`, `NV18`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`
public record TopologyMatrix(List<List<String>> links) {
  private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*[A-Za-z]");
  private static final Pattern GPU = Pattern.compile("GPU(\\d+)");
  private static final Pattern LINK = Pattern.compile("X|NV\\d+|PIX|PXB|PHB|NODE|SYS|SOC");

  public TopologyMatrix {
    links = links.stream().map(List::copyOf).toList();
  }

  /// Whether this text is such a matrix.
  public static boolean recognises(String text) {
    return parse(text).isPresent();
  }

  /// Parses the first matrix in the text; empty if there is none or it is incomplete.
  public static Optional<TopologyMatrix> parse(String text) {
    int columns = 0;
    var rows = new ArrayList<List<String>>();
    for (String line : COLOURS.matcher(text).replaceAll("").lines().toList()) {
      String[] cells = line.strip().split("\\s+");
      if (columns == 0) {
        columns = header(cells);
      } else if (rows.size() < columns && isGpu(cells[0], rows.size())) {
        var row = row(cells, columns);
        if (row.isEmpty()) {
          return Optional.empty();
        }
        rows.add(row);
      } else {
        break;
      }
    }
    return columns > 0 && rows.size() == columns
        ? Optional.of(new TopologyMatrix(rows))
        : Optional.empty();
  }

  /// The topology record of a node of which only this matrix is known.
  public NodeTopology ofNode(String cluster, String node, Instant at) {
    var gpus = new ArrayList<NodeTopology.Gpu>();
    for (int i = 0; i < links.size(); i++) {
      gpus.add(new NodeTopology.Gpu(i, "", "", ""));
    }
    return new NodeTopology(cluster, node, at, "", "", gpus, links);
  }

  /// Number of columns `GPU0`, `GPU1` … at the beginning of the header; 0 if it is not a header.
  private static int header(String[] cells) {
    int gpus = 0;
    while (gpus < cells.length && isGpu(cells[gpus], gpus)) {
      gpus++;
    }
    return gpus == 1 && cells.length == 1 ? 0 : gpus;
  }

  private static boolean isGpu(String cell, int index) {
    var gpu = GPU.matcher(cell);
    return gpu.matches() && gpu.group(1).equals(Integer.toString(index));
  }

  private static List<String> row(String[] cells, int columns) {
    if (cells.length <= columns) {
      return List.of();
    }
    var row = List.of(cells).subList(1, columns + 1);
    return row.stream().allMatch(cell -> LINK.matcher(cell).matches()) ? row : List.of();
  }
}
