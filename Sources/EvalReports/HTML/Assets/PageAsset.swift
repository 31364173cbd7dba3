import EvalFindings
import StructuredText
import SystemBasics

/// A style sheet or a script of the pages, joined from files in this folder.
///
/// The build embeds these files in the program.
///
/// Failures stand out, and passes don't: everything normal is black or grey, a warm color means
/// worse, and blue means better. No meaning depends on telling red from green, and each color comes
/// with a word or a glyph. A page works without its script, and the script never builds markup from
/// text.
struct PageAsset: Sendable {
  /// The text as the page contains it.
  let bytes: [UInt8]
  /// The hash by which a content-security policy allows the asset.
  let source: String

  /// The style sheet of all pages.
  static let style = PageAsset([
    PackageResources.theme_css, PackageResources.page_css, PackageResources.tables_css,
    PackageResources.plots_css, PackageResources.grids_css, PackageResources.details_css,
    PackageResources.changes_css, PackageResources.screens_css,
  ])

  /// The script of a run's page.
  static let reportScript = PageAsset(script: [
    PackageResources.start_js, PackageResources.theme_js, PackageResources.sorting_js,
    PackageResources.grids_js, PackageResources.attempts_js, PackageResources.answers_js,
    PackageResources.changes_js, PackageResources.plots_js, PackageResources.sharing_js,
    PackageResources.copy_js,
    PackageResources.keys_js, PackageResources.paper_js,
  ])

  /// The script of the dashboard.
  static let dashboardScript = PageAsset(script: [
    PackageResources.start_js, PackageResources.theme_js, PackageResources.grids_js,
    PackageResources.plots_js, PackageResources.sharing_js, PackageResources.dashboard_js,
  ])

  private init(_ files: [[UInt8]]) {
    bytes = Array(files.map(Self.withoutComments).joined())
    source = Self.source(of: bytes)
  }

  /// Creates a script from files, with one scope for all files, so that the names in them aren't
  /// global.
  private init(script files: [[UInt8]]) {
    self.init([Array("(function () {\n'use strict';\n".utf8)] + files + [Array("})();\n".utf8)])
  }

  /// Returns a file without indentation, empty lines, or lines that contain only a comment.
  private static func withoutComments(_ file: [UInt8]) -> [UInt8] {
    var isComment = false
    var result: [UInt8] = []
    for line in file.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if text.starts(with: "/*".utf8) { isComment = true }
      if !isComment, !text.isEmpty, !text.starts(with: "//".utf8) { result += text + [0x0A] }
      if isComment, text.suffix(2).elementsEqual("*/".utf8) { isComment = false }
    }
    return result
  }

  /// Returns `sha256-` and the digest in Base64: the form of a hash source in CSP level 3, section
  /// 2.3.1.
  private static func source(of bytes: [UInt8]) -> String {
    let digits = Array(SHA256.hexDigest(of: bytes).utf8)
    let digest = stride(from: 0, to: digits.count - 1, by: 2).map { place in
      value(digits[place]) << 4 | value(digits[place + 1])
    }
    return "sha256-" + Data(digest).base64EncodedString()
  }

  private static func value(_ digit: UInt8) -> UInt8 {
    digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
  }
}
