package io.ringside.platform.http;

import java.net.InetAddress;

/// Whose connections count together: an address, of IPv6 a network of 64 bits, all of which
/// whoever has one address of it may have.
///
/// @param version bytes of the address
/// @param network the address's first eight bytes
record Origin(int version, long network) {
  static Origin of(InetAddress address) {
    var bytes = address.getAddress();
    long network = 0;
    for (int i = 0; i < Math.min(8, bytes.length); i++) {
      network = network << 8 | bytes[i] & 0xff;
    }
    return new Origin(bytes.length, network);
  }
}
