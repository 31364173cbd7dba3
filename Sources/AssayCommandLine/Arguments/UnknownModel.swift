import EvalSessions
import EvalSuites
import StructuredText

/// The error for a `--model` that doesn't exist.
enum UnknownModel {
  /// Returns the error, which suggests the most similar known name, or lists known names if none is
  /// similar.
  ///
  /// - Parameters:
  ///   - name: The name that was given.
  ///   - project: The project file, or `nil` if there is none.
  ///   - found: The models in other programs' caches.
  static func error(_ name: String, project: ProjectFile?, found: [FoundModel]) -> UsageError {
    let ours = project?.models.map(\.name) ?? []
    let known = ours + found.map(\.qualifiedName)
    let place =
      project.map { "no such model in \($0.path)" } ?? "there is no \(ProjectFile.fileName)"
    let hint: String
    if let near = nearest(to: name, among: ours, found) {
      hint = "did you mean \(near)?"
    } else if let served = ServedChoice.name(meantBy: name) {
      hint = "for a model on a server, use --backend (-b \(served))"
    } else if known.isEmpty {
      hint = "give the path of a GGUF file"
    } else {
      hint =
        "known models: \(known.prefix(20).joined(separator: ", "))"
        + (known.count > 20 ? " and \(known.count - 20) more" : "")
    }
    return UsageError("--model \(name): there is no such file, and \(place); \(hint)")
  }

  private static func nearest(
    to name: String, among ours: [String], _ found: [FoundModel]
  ) -> String? {
    // The user may have left out the prefix of the cache.
    let fits = found.first { $0.name == name || $0.otherNames.contains(name) }
    if let fits { return fits.qualifiedName }
    let candidates = ours + found.map(\.qualifiedName) + found.map(\.name)
    guard let nearest = NearestName.nearest(to: name, among: candidates) else { return nil }
    if ours.contains(nearest) { return nearest }
    return found.first { $0.name == nearest }?.qualifiedName ?? nearest
  }
}
