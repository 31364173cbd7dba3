import SystemBasics

/// The state of a git working copy, read directly from git's files.
package struct WorkingCopy: Equatable {
  /// The current commit, or `nil` if there is none.
  package let commit: String?
  /// The current branch, or `nil` if there is none.
  package let branch: String?

  /// Creates a state by reading the repository around a folder.
  ///
  /// Outside a repository, the commit and the branch are `nil`.
  ///
  /// - Parameters:
  ///   - folder: A folder inside the repository.
  ///   - environment: The environment variables. A CI system checks out a commit instead of a
  ///     branch, and names the branch in a variable.
  package init(around folder: String, environment: [String: String]) {
    let git = Self.repository(around: folder)
    let head = git.flatMap { Self.line($0.appendingPathComponent("HEAD")) }
    commit = git.flatMap { Self.head(of: $0) }
    let prefix = "ref: refs/heads/"
    if let head, head.hasPrefix(prefix) {
      branch = String(head.dropFirst(prefix.count))
    } else if git != nil {
      branch = Self.branchVariables.lazy.filter { !Self.namesTag($0, environment) }
        .compactMap { environment[$0] }.first { !$0.isEmpty }
    } else {
      branch = nil
    }
  }

  /// Returns the root of the repository around a folder, or `nil` outside a repository.
  static func root(around folder: String) -> String? {
    var directory = URL(fileURLWithPath: folder).standardizedFileURL
    while resolve(directory.appendingPathComponent(".git")) == nil {
      let parent = directory.deletingLastPathComponent().standardizedFileURL
      if parent.path == directory.path || directory.path == "/" { return nil }
      directory = parent
    }
    return directory.path
  }

  /// The variables in which GitHub, GitLab, Woodpecker, Buildkite, Azure, CircleCI, Bitbucket,
  /// Travis and Jenkins name the branch.
  ///
  /// For each service, the variable for pull requests comes before the variable for branches.
  private static let branchVariables = [
    "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
    "CI_COMMIT_REF_NAME", "CI_COMMIT_BRANCH", "BUILDKITE_BRANCH",
    "SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCHNAME", "CIRCLE_BRANCH",
    "BITBUCKET_BRANCH", "TRAVIS_PULL_REQUEST_BRANCH", "TRAVIS_BRANCH", "CHANGE_BRANCH",
    "BRANCH_NAME",
  ]

  /// Returns whether a variable names the tag that a CI system checked out, instead of a branch.
  ///
  /// A tag may have the name of a branch, but it isn't on the branch.
  private static func namesTag(_ variable: String, _ environment: [String: String]) -> Bool {
    func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
    return switch variable {
    case "GITHUB_REF_NAME":
      environment["GITHUB_REF_TYPE"] == "tag"
        || environment["GITHUB_REF"]?.hasPrefix("refs/tags/") == true
    case "CI_COMMIT_REF_NAME": isSet("CI_COMMIT_TAG")
    case "BUILDKITE_BRANCH": isSet("BUILDKITE_TAG")
    case "BUILD_SOURCEBRANCHNAME":
      environment["BUILD_SOURCEBRANCH"]?.hasPrefix("refs/tags/") == true
    case "TRAVIS_BRANCH": isSet("TRAVIS_TAG")
    case "BRANCH_NAME": isSet("TAG_NAME")
    default: false
    }
  }

  private static func repository(around folder: String) -> URL? {
    root(around: folder).flatMap {
      resolve(URL(fileURLWithPath: $0).appendingPathComponent(".git"))
    }
  }

  /// Returns the git directory.
  ///
  /// In a linked work tree, `.git` is a file that names the git directory.
  private static func resolve(_ git: URL) -> URL? {
    guard let status = FileStatus(path: git.path) else { return nil }
    if status.isFolder { return git }
    guard let text = try? String(contentsOf: git, encoding: .utf8), text.hasPrefix("gitdir: ")
    else { return nil }
    let path = text.dropFirst(8).trimmed
    return URL(fileURLWithPath: path, relativeTo: git.deletingLastPathComponent())
  }

  private static func head(of folder: URL) -> String? {
    guard let head = line(folder.appendingPathComponent("HEAD")) else { return nil }
    guard head.hasPrefix("ref: ") else { return isHash(head) ? head : nil }
    let name = String(head.dropFirst(5))
    guard !name.contains("..") else { return nil }
    var folders = [folder]
    if let common = line(folder.appendingPathComponent("commondir")) {
      folders.append(URL(fileURLWithPath: common, relativeTo: folder))
    }
    for folder in folders {
      if let hash = line(folder.appendingPathComponent(name)), isHash(hash) { return hash }
      let packed = try? String(
        contentsOf: folder.appendingPathComponent("packed-refs"), encoding: .utf8)
      for row in (packed ?? "").split(separator: "\n") where row.hasSuffix(" \(name)") {
        let hash = String(row.prefix { $0 != " " })
        if isHash(hash) { return hash }
      }
    }
    return nil
  }

  private static func line(_ file: URL) -> String? {
    (try? String(contentsOf: file, encoding: .utf8))?
      .trimmed
  }

  private static func isHash(_ text: String) -> Bool {
    text.count >= 40 && text.allSatisfy(\.isHexDigit)
  }
}
