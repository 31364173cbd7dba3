import CDigest
import StructuredText
import Testing

/// Compares SHA-256 with published digests and with those of another implementation.
@Suite struct SHA256Tests {
  @Test(
    "the examples of FIPS 180 have their published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func published(text: String, digest: String) { #expect(SHA256.hexDigest(of: text) == digest) }

  /// Digests of `bytes((i * 7 + n) & 255 for i in range(n))`, computed with Python's hashlib.
  static let digests: [(count: Int, digest: String)] = [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (1, "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"),
    (3, "6ab0dba1f4f1dfbb37b4f9eeb092c09fca4900ad32bdcd147d8dde35d6c87c35"),
    (55, "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72"),
    (56, "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1"),
    (57, "903284efbf9100e8ba1614ec65eacacad125e03f857cae7acbf8b73b23e0fdfe"),
    (63, "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e"),
    (64, "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8"),
    (65, "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720"),
    (119, "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e"),
    (120, "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d"),
    (121, "bfee8850f7dfa42874071a0040ef89a5ac8d70c919224c440bdb63adb65d35e8"),
    (127, "68f6ff710276900c0ffbbc57426f67e00c2e01f0750c7edc25ac06b8ce7a8095"),
    (128, "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707"),
    (129, "4e1556b2e9a50a3cc9478f3254727b01065f9ac5d2c3a8b4cd538ae7240bb87d"),
    (1000, "6b0df76627243d095b0c4400cb658b7e804dd03461cc03aee8fc8fe0bcada168"),
    (4096, "d010f6d76d0eb4dce5d5b5b34014a8a157ec4380a66c24d7d455a9bf652db14a"),
    (65537, "49eb2b54b404f188a584dee823b4d10b14fd5a59878399e59421e542a268d339"),
  ]

  @Test(
    "for lengths near the block size and far from it, digests equal those of Python's hashlib",
    arguments: digests)
  func lengths(count: Int, digest: String) {
    #expect(SHA256.hexDigest(of: bytes(count)) == digest)
  }

  @Test(
    "the digest of bytes that are added in pieces equals the digest of the whole",
    arguments: [1, 3, 63, 64, 65, 1000])
  func pieces(size: Int) {
    for (count, digest) in Self.digests {
      var hash = SHA256()
      let all = bytes(count)
      for start in stride(from: 0, to: count, by: size) {
        hash.update(Array(all[start..<min(count, start + size)]))
      }
      #expect(hash.hexDigest() == digest)
      #expect(hash.hexDigest() == digest, "asking for the digest doesn't change it")
    }
  }

  @Test("the portable code computes the same state as the processor's instructions")
  func portable() {
    let blocks = bytes(64 * 33)
    var (first, second) = ([UInt32](1...8), [UInt32](1...8))
    cd_sha256(&first, blocks, 33)
    cd_sha256_portable(&second, blocks, 33)
    #expect(first == second)
  }

  @Test("the digest of a JSON value doesn't depend on how its text is written")
  func canonicalDigest() throws {
    let texts = [#"{"a":1,"b":[10,"x"]}"#, #"{ "b": [1e1, "\u0078"], "a": 1.0 }"#]
    let digests = try texts.map { try JSONValue(parsing: $0).canonicalDigest }
    #expect(digests[0] == digests[1])
    #expect(digests[0] == SHA256.hexDigest(of: texts[0]))
  }

  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
  }
}
