package io.ringside.shipper.source.topology;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The cloud's name of this machine, from its firmware.
public final class InstanceType {
  private InstanceType() {}

  /// The product name on EC2's Nitro machines, where it is the instance type: `p5.48xlarge`. Empty
  /// elsewhere.
  ///
  /// @param dmi usually `/sys/devices/virtual/dmi/id`
  public static String of(Path dmi) {
    return line(dmi.resolve("sys_vendor")).equals("Amazon EC2")
        ? line(dmi.resolve("product_name"))
        : "";
  }

  private static String line(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
