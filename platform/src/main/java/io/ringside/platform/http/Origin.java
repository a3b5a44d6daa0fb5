package io.ringside.platform.http;

import java.net.InetAddress;

/// The unit by which connections are counted: an address, or for IPv6 a network of 64 bits, since
/// the owner of one of its addresses may have them all.
///
/// @param version length of the address in bytes, 4 or 16
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
