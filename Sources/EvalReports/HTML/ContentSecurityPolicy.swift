/// The policy of a page, which allows only its own style sheet and script, by hash, and images that
/// are part of the page.
enum ContentSecurityPolicy {
  /// The content of the policy's `meta` element.
  ///
  /// - Parameter script: The page's script; if it is nil, no script runs at all.
  static func text(script: PageAsset?) -> String {
    "default-src 'none'; style-src '\(PageAsset.style.source)'; "
      + (script.map { "script-src '\($0.source)'; " } ?? "")
      + "img-src data:; base-uri 'none'; form-action 'none'"
  }
}
