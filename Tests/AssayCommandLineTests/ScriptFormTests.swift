import Foundation
import Testing

/// The scripts run on Linux and on Macs, whose tools lack GNU's options, and whose bash is version
/// 3.2.
@Suite("The forms that scripts use")
struct ScriptFormTests {
  /// Forms that only GNU's tools or newer versions of bash have, as regular expressions, with what
  /// to write instead.
  private static let forms: [(pattern: String, instead: String)] = [
    (#"\bsed +(-[a-zA-Z]+ +)*-i"#, "write to another file and move it"),
    (#"\breadlink +-f"#, "cd to the folder, and use pwd"),
    (#"\bdate +(-d|--date)"#, "compute with python3"),
    (#"\bgrep +-[a-zA-Z]*P"#, "grep -E"),
    (#"\b(mapfile|readarray)\b"#, "while IFS= read -r"),
    (#"\bxargs +(-[a-zA-Z0-9]+ +)*-[ad]\b"#, "tr and xargs -0"),
    (#"\bdeclare +-[a-zA-Z]*A"#, "two lists, or python3"),
    (#"\$\{[a-zA-Z_]+(,,|\^\^|@[A-Z])"#, "tr"),
    (#"\bsort +-[a-zA-Z]*V"#, "sort -t. -k1,1n …"),
    (#"\bhead +-n +-"#, "sed"),
    (#"\bfind\b.* -printf\b"#, "find -exec"),
    (#"\bbase64 +-w"#, "base64 | tr -d '\n'"),
    (#"\b(nproc|sha256sum|md5sum|tac)\b"#, "getconf _NPROCESSORS_ONLN, shasum -a 256, tail -r"),
    (#"\becho +-[ne]"#, "printf"),
    (#"\bcoproc\b|\|&|&>>"#, "2>&1"),
  ]

  /// Returns the forms in a script that aren't allowed, with their lines.
  private static func found(in text: String) -> [String] {
    text.components(separatedBy: "\n").enumerated().flatMap { index, line -> [String] in
      if line.drop(while: \.isWhitespace).hasPrefix("#") { return [] }
      return forms.compactMap { form in
        let isThere = line.range(of: form.pattern, options: .regularExpression) != nil
        return isThere ? "\(index + 1): \(line); instead: \(form.instead)" : nil
      }
    }
  }

  @Test("no script uses a form that only GNU's tools or newer versions of bash have")
  func scripts() throws {
    var count = 0
    for folder in ["scripts", ".ci", "docs/ci"] {
      let root = Checkout.root.appendingPathComponent(folder)
      guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root.path) else {
        continue
      }
      for name in names {
        let file = root.appendingPathComponent(name)
        guard let text = try? String(contentsOf: file, encoding: .utf8),
          text.hasPrefix("#!/usr/bin/env bash") || text.hasPrefix("#!/bin/bash")
        else { continue }
        count += 1
        #expect(Self.found(in: text) == [], "\(folder)/\(name)")
      }
    }
    #expect(count > 15)
  }

  @Test(
    "the check finds such forms, and lets others pass",
    arguments: [
      ("sed -i s/a/b/ file", 1), ("sed -e s/-i/b/ file", 0), ("readlink -f .", 1),
      ("date -d yesterday", 1), ("date -u +%s", 0), ("grep -oP x", 1), ("grep -E P x", 0),
      ("mapfile -t lines < file", 1), ("xargs -a list -n 4", 1), ("xargs -0 -n 400 x", 0),
      ("  # sed -i is not allowed", 0), ("declare -A map", 1), ("echo ${name,,}", 1),
      ("x=$(sha256sum file)", 1), ("shasum -a 256 file", 0), ("echo -n x", 1),
    ])
  func checkForm(line: String, count: Int) {
    #expect(Self.found(in: line).count == count, "\(Self.found(in: line))")
  }
}
