package io.ringside.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginTest {
  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.2.7, true",
    "192.0.2.7, 192.0.2.8, false",
    "2001:db8:1:2::7, 2001:db8:1:2:ffff:ffff:ffff:ffff, true",
    "2001:db8:1:2::7, 2001:db8:1:3::7, false",
    // the same eight bytes
    "192.0.2.7, ::c000:207:0:0:0:0, false",
    // one address however it is written
    "192.0.2.7, ::ffff:192.0.2.7, true"
  })
  void isAnAddressOrANetworkOf64Bits(String one, String other, boolean same) throws Exception {
    assertThat(of(one).equals(of(other))).isEqualTo(same);
  }

  private static Origin of(String address) throws UnknownHostException {
    return Origin.of(InetAddress.getByName(address));
  }
}
