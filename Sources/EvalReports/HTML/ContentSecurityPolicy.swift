import EvalFindings

/// The content-security policy of a page.
///
/// The policy allows only the page's own style sheet and script, by their hashes, and images that
/// are part of the page.
enum ContentSecurityPolicy {
  /// The content of the policy's `meta` element.
  ///
  /// Without a script, none may run.
  static func text(script: PageAsset?) -> String {
    "default-src 'none'; style-src '\(PageAsset.style.source)'; "
      + (script.map { "script-src '\($0.source)'; " } ?? "")
      + "img-src data:; base-uri 'none'; form-action 'none'"
  }
}
