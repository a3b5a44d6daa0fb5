package io.ringside.shipper.mask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringside.schemas.event.LogChunk;
import io.ringside.schemas.event.LogSource;
import io.ringside.schemas.event.Text;
import io.ringside.shipper.config.MaskPattern;
import io.ringside.shipper.config.ShipperConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskingTest {
  private final LongAdder masked = new LongAdder();
  private final Masking usual = new Masking(usual(), masked);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY | AWS_SECRET_ACCESS_KEY=(masked)",
        "export WANDB_API_KEY='0123456789abcdef'              | export WANDB_API_KEY='(masked)'",
        "pod:1:2 [0] NCCL INFO MY_TOKEN set by environment to abc | pod:1:2 [0] NCCL INFO MY_TOKEN set by environment to (masked)",
        "{'HF_TOKEN': 'hf_x', 'A': 1}                          | {'HF_TOKEN': '(masked)', 'A': 1}",
        "train.py --api-key s3cr3t --lr 1e-4                   | train.py --api-key (masked) --lr 1e-4",
        "login with password=hunter2 ok                        | login with password=(masked) ok",
        "using hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345 now         | using (masked) now",
        "id AKIAIOSFODNN7EXAMPLE end                           | id (masked) end",
        "GET https://bob:pa55word@mirror.example/x             | GET https://bob:(masked)@mirror.example/x",
        "Authorization: Bearer abcdef0123456789                | Authorization: Bearer (masked)",
        "PGPASSWORD=hunter22 psql                              | PGPASSWORD=(masked) psql",
        "redis://:pa55word@cache:6379/0                        | redis://:(masked)@cache:6379/0",
        "key nvapi-AbCdEfGhIjKlMnOpQrStUvWxYz012345 end        | key (masked) end",
        "X-API-Key: 0a1b2c3d4e5f                               | X-API-Key: (masked)",
        "using token=s3cr3t-value now                          | using token=(masked) now",
        "{\"token\": \"abcdefgh\", \"step\": 7}                 | {\"token\": \"(masked)\", \"step\": 7}",
        "{\\\"token\\\": \\\"abcdefgh\\\", \\\"step\\\": 7}       | {\\\"token\\\": \\\"(masked)\\\", \\\"step\\\": 7}",
        "$ wandb login 0123456789abcdef0123456789abcdef01234567 | $ wandb login (masked)",
        "DefaultEndpointsProtocol=https;AccountKey=abc+/def==;X | DefaultEndpointsProtocol=https;AccountKey=(masked);X",
        "https://a.blob/x?sv=1&sig=AbC%2Fdef%3D&se=2           | https://a.blob/x?sv=1&sig=(masked)&se=2",
        "https://s3/x?X-Amz-Signature=0a1b2c3d4e&X-Amz-Date=2  | https://s3/x?X-Amz-Signature=(masked)&X-Amz-Date=2",
        "-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA   | -----BEGIN RSA PRIVATE KEY-----(masked)-----END RSA",
        "AIzaSyA0123456789abcdefghijklmnopqrstuv               | (masked)",
        "ya29.a0AfH6SMBx0123456789abcdefgh                     | (masked)",
        "https://hooks.slack.com/services/T0000/B0000/XXXXXXXX | https://hooks.slack.com/services/(masked)",
        "npm_0123456789abcdefghijklmnopqrstuvwxyz              | (masked)",
        "pypi-AgEIcHlwaS5vcmcCJDAw                             | (masked)",
        "Authorization: token 0123456789abcdef                 | Authorization: token (masked)",
        "deepinfra TOKEN a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6 ok   | deepinfra TOKEN (masked) ok",
        "clearmlSECRET=ABCDEFGHIJKLMNOPQRSTUVWXYZabcd          | clearmlSECRET=(masked)",
        "the password is correct9horse88x7                     | the password is (masked)",
        "machine api.wandb.ai login user password 7cc938e45e63 | machine api.wandb.ai login user password (masked)",
        "tvly-AbCdEfGhIjKlMnOpQrStUvWx0123                     | tvly-(masked)",
        "export PGPASSWORD=pw1                                 | export PGPASSWORD=(masked)",
        "using token=abc, then                                 | using token=(masked), then",
        "https://a.blob/x?sig=AbC                              | https://a.blob/x?sig=(masked)",
        "signed with X-Amz-Signature=0a1b2c                    | signed with X-Amz-Signature=(masked)",
        "Authorization: token abc                              | Authorization: token (masked)",
        "$ wandb login wandb_v1_AbCdEfGhIj0123456789           | $ wandb login (masked)",
        "$ wandb login --relogin local-0123456789abcdef01234567 | $ wandb login --relogin (masked)",
        "key wandb_v1_AbCdEfGhIj0123456789 ok                  | key (masked) ok",
        "db_password=\"it's a \\\"quoted\\\" secret\" ok       | db_password=\"(masked)\" ok",
        "token = 'a \\' b', x                                  | token = '(masked)', x",
        "-----BEGIN PRIVATE KEY-----\\nMII-foo-x\\n-----END X   | -----BEGIN PRIVATE KEY-----(masked)-----END X",
        "-----BEGIN PRIVATE KEY-----\\nMII-foo-xyz             | -----BEGIN PRIVATE KEY-----(masked)",
        "DB_PASSWORD=\"my secret words\" ok                    | DB_PASSWORD=\"(masked)\" ok",
        "my_password := \"super$ecret\"                        | my_password := \"(masked)\"",
        "fbApiKey:            \"171e84fd57f430fc\",            | fbApiKey:            \"(masked)\",",
        "password 'two words'                                  | password '(masked)'",
        "Uid=me;Pwd=hunter2;Trusted=no                         | Uid=me;Pwd=(masked);Trusted=no",
        "curl -sX POST -u me:hunter22 https://x                | curl -sX POST -u me:(masked) https://x",
        "wandb 0123456789abcdef0123456789abcdef01234567 ok     | wandb (masked) ok",
        "-Dsonar.login=0123456789abcdef0123456789abcdef01234567 | -Dsonar.login=(masked)",
        "telegram: 1234567890:AbCdEfGhIj-KlMnOpQrStUvWxYz_0123456 | telegram: (masked)",
        "CFPAT-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789            | (masked)",
        "ak_live_AbCdEfGhIjKlMnOpQrSt0123                      | (masked)",
        "secret_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEf     | (masked)",
        "A_TOKEN: 1234567890123456                             | A_TOKEN: (masked)",
        "chartmogul a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6             | chartmogul (masked)",
        "fastforex-abcd1234efgh5678ijkl9012mnop                | fastforex-(masked)",
        "restpack foo SECRET bar 1234567890abcdef1234567890abcdef | restpack foo SECRET bar (masked)",
        "auth0_client_id = 'dBpXUZS34Rhg6WUKTLLj3E9yWGY6IJgV'  | auth0_client_id = '(masked)'",
        "The password is 'Secret'                              | The password is '(masked)'",
        "password for user 'postgres' is \"admin\", or         | password for user 'postgres' is \"(masked)\", or",
        "password        => 'thisismypassword',                | password        => '(masked)',",
        "Connect-VIServer -User a@b -Password VMware1!         | Connect-VIServer -User a@b -Password (masked)",
        "new NetworkCredential(\"me@x.com\", \"vzihlaqukn\");    | new NetworkCredential(\"me@x.com\", \"(masked)\");",
        "Unseal Key 2: 0tZn+7QQCxphpHwTm7/dC3LpP5JGIbYl3PK8Sy81R+P2 | Unseal Key 2: (masked)",
        "bd3777708aecfee66c5335f62a6246a4-us13                 | (masked)",
        "rentman eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwI | rentman (masked)",
      })
  void hidesTheSecretAndNothingElse(String line, String expected) {
    assertThat(usual.of(line)).isEqualTo(expected);
    assertThat(masked.sum()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TOKENIZERS_PARALLELISM=false",
        "NCCL INFO NCCL_IB_PKEY set by environment to 0",
        "p:1:2 [0] NCCL INFO comm 0x43ec63b0 rank 0 nranks 8 cudaDev 0 busId 1b000 commId 0x7a59ea5430bf9912 - Init COMPLETE",
        "NET/OFI Selected provider is efa, fabric is efa-direct (found 4 nics)",
        "http://10.0.0.1:29500/x@y, task-0-sk-1",
        "tokens per second: 12345, tokens=77, the password was wrong",
        "max_token=4096 | n_token: 1.5e+06, token=12345.6K",
        "token=1,234,567 tokens=12 token per second: 88, pad_token=pad, bos_token=<s>, token=77, token=1e6 ",
        "run wandb login to log in, wandb login failed",
        "token: the quick one, secret: no, Signature=3, sig=3",
        "throughput: 12345.6 tokens/s, secret sharer, key: value, sig=3",
        "MAX_TOKEN=4096 KEY=7",
        "KeyError: 'model.layers.0.self_attn.q_proj.weight'",
        "Missing key(s) in state_dict: \"model.layers.0.mlp.gate_up_proj.weight\"",
        "unexpected key transformer.h.11.attn.c_attn.bias, access to llama-3-8b-instruct",
        "CUDA error: an illegal memory access was encountered",
        "NET/IB : GID key mlx5_0:1/RoCE pkey 0xffff, token llama-3-8b",
        "datasets/tokenized/fineweb-edu-dedup-160B/shard_00008, nvmlSystemGetConfComputeKeyRotationThresholdInfo",
        "kernel registered to the Autograd key (e.g. DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd)",
        "run_pp_pressure_test.sh: runs/pressure_test_20260511-1220/175m_attn_res_L16_n8_pp4_vp4/train.log: No such file",
        "docker run -u 1000:1000 x, python -u train.py, PWD=/workspace; cwd=/workspace",
        "wandb: 🚀 View run at https://wandb.ai/team/project/runs/3k144a5a, lr=1000.5, token 0.1234567890123456",
        "private memory 0x7f3a12345678, key padding mask, token_type_ids torch.Size([8, 4096])",
        "WARN [Consumer clientId=consumer-ringside-1-2, groupId=ringside] the password is wrong, password reset",
        "web_search: 00-ab, ssl.SSLError: cert, model.eyes.0, conv_0123-us, infura mailjet findl is a word",
      })
  void leavesOrdinaryLinesAlone(String line) {
    assertThat(usual.of(line)).isSameAs(line);
    assertThat(masked.sum()).isZero();
  }

  @Test
  void decodesAChunkOnlyWhereAWordStands() {
    var source = new LogSource("c", "n", "ns", "pod", "uid", "trainer", "job", "/f");
    var text = "p [0] NCCL INFO a\nMY_API_KEY=\"a\\b\" é\nrest";
    var chunk =
        new LogChunk(
            source,
            1,
            2,
            3,
            90,
            Instant.EPOCH,
            true,
            false,
            Text.of(text),
            new int[] {0, 20, 60},
            5,
            new long[] {0, 1, 2},
            new int[] {1});
    var plain = chunk.withText(Text.of("a\nsendbuff\nc"));

    assertThat(usual.of(plain)).isSameAs(plain);
    assertThat(usual.of(chunk))
        .isEqualTo(chunk.withText(Text.of("p [0] NCCL INFO a\nMY_API_KEY=\"(masked)\" é\nrest")));
  }

  @Test
  void keepsLinesLines() {
    var rule = new MaskPattern("all", List.of("begin"), "(?s)begin(?<secret>.*)end");

    assertThat(new Masking(List.of(rule), masked).of("begin\nx\nend")).isEqualTo("begin\nx\nend");
    assertThat(usual.of("A_KEY=x\nB=1\n\nC_TOKEN=y"))
        .isEqualTo("A_KEY=(masked)\nB=1\n\nC_TOKEN=(masked)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A_",
        "KEY",
        "KEY_A",
        "://a:",
        "a-secret-",
        "--api-key ",
        "Bearer ",
        "eyJ.",
        "\"password\"",
        "KEY= ",
        "eyJ-",
        "KEY=\"",
        "token='",
        "token:\\\"",
        "Authorization:",
        "-----BEGIN PRIVATE KEY-----",
        "?sig=",
        "login ",
        "hooks.slack.com/services/",
      })
  void takesNoLongerForALineMadeToHurt(String unit) {
    var line = unit.repeat((1 << 18) / unit.length());
    long start = System.nanoTime();

    assertThat(usual.of(line)).isNotEmpty();

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void takesNoLongerForAnyMaskWhateverIsPumpedIntoItsLine() {
    assertThat(
            usual().parallelStream()
                .filter(mask -> MaskTrial.slowOn(mask).isPresent())
                .map(MaskPattern::name))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "ab ; ab(?<secret>c)?(?:.*d)? ; ab",
        "zz ; q(?<secret>c)?(?:.*d)? ; q",
        "zz ; (?:[k-m]\\d{3}|y)x?(?<secret>c)?(?:.*\\bd)? ; k000",
        "zz ; (?:\\w{1,900}x){1,40}(?<secret>c)? ; ax",
      })
  void findsThatAMaskOfAUserIsSlow(String word, String regex, String pumped) {
    assertThat(MaskTrial.slowOn(new MaskPattern("x", List.of(word), regex))).contains(pumped);
  }

  @Test
  void findsThatAMaskOfAUserTakesTimeByItsLine() {
    var rule = new MaskPattern("x", List.of("zz"), "q=(?<secret>[^ ]+)");

    assertThat(MaskTrial.slowOn(rule)).isEmpty();
  }

  @Test
  void withholdsLinesOnceAChunkTookTooLong() {
    long[] now = {0};
    var slow = new Masking(usual(), masked, () -> now[0] += Masking.BUDGET.toNanos() / 3);

    assertThat(slow.of("A_KEY=abc\nnothing\nB_KEY=abc\nC_KEY=abc"))
        .isEqualTo("A_KEY=(masked)\nnothing\n" + Masking.WITHHELD + "\n" + Masking.WITHHELD);
  }

  @Test
  void refusesWhatTakesMoreTimeThanTheLineIsLong() {
    assertThatThrownBy(() -> new MaskPattern("x", List.of("ab"), "(?<=a)(?<secret>b)"))
        .hasMessageContaining("RE2: no lookaround, no back-references");
  }

  @Test
  void refusesAPatternWithoutASecret() {
    assertThatThrownBy(() -> new MaskPattern("x", List.of("ab"), "a.*"))
        .hasMessageContaining("must have a group (?<secret>…)");
    assertThatThrownBy(() -> new MaskPattern("x", List.of(), "(?<secret>a)"))
        .hasMessageContaining("words of mask 'x' must be words of two letters or more");
  }

  private static List<MaskPattern> usual() {
    return ShipperConfig.read(null, Map.of("node", "n"), name -> null).masks();
  }

  @Test
  void looksForBeginningsAtBeginningsAlone() {
    var rule = new MaskPattern("x", List.of("AZ", "\\bsk-"), "(?<secret>\\bsk-\\w{4,}|\\w{2}AZ)");
    var masking = new Masking(List.of(rule), masked);

    assertThat(masking.of("task-abcd\nsk-abcd 1\n(sk-efgh) task-abcd\n_sk-abcd 12AZ sk-"))
        .isEqualTo("task-abcd\n(masked) 1\n((masked)) task-abcd\n_sk-abcd (masked) sk-");
  }
}
