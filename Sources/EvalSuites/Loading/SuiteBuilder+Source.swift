import GuidedGeneration
import StructuredText

/// The schema and the instructions of a suite before any edits.
struct SuiteSource {
  /// The schema.
  var schema: GenerationSchema
  /// The instructions from a prompt set, or `nil` if the suite has no prompt set.
  var instructions: String?
  /// The document from which the schema was read, or `nil` if the schema wasn't read from a
  /// document.
  var document: SchemaDocument?
}

extension SuiteBuilder {
  /// Builds the suite's source, or returns `nil` if there are problems.
  mutating func source(_ root: SourceNode) -> SuiteSource? {
    guard let generates = root["generates"], format.isSound(generates) else { return nil }
    let dialect = generates["dialect"]?.text.flatMap { SchemaDialect(rawValue: $0) }
    if let node = generates["dialect"], generates["schema"] == nil, generates["inline"] == nil {
      format.problems.add(
        node.location, "`dialect` only applies to a schema document",
        allowed: "use it with `schema` or `inline`")
    }
    if let inline = generates["inline"] {
      do throws(SchemaReadError) {
        return SuiteSource(
          schema: try GenerationSchema(
            json: inline.value, options: .judging(dialect)),
          document: SchemaDocument(path: path, node: inline, location: inline.location))
      } catch {
        format.problems.add([Self.problem(error, in: inline, file: path)])
        return nil
      }
    }
    if let node = generates["schema"], let document = document(named: node) {
      do throws(SchemaReadError) {
        return SuiteSource(
          schema: try GenerationSchema(
            json: document.node.value, options: .judging(dialect)),
          document: SchemaDocument(
            path: document.path, node: document.node, location: document.node.location))
      } catch {
        otherProblems.append(Self.problem(error, in: document.node, file: document.path))
        return nil
      }
    }
    if let node = generates["promptSet"], let document = document(named: node) {
      return promptSet(document.node, path: document.path)
    }
    if let node = generates["type"], let name = node.text {
      if let schema = types[name] {
        // The guides of a type can contradict each other, as the keywords of a document can.
        do throws(SchemaReadError) {
          _ = try GenerationSchema(json: schema.json, options: .judging())
        } catch {
          format.problems.add(node.location, "the type `\(name)`: \(error)")
          return nil
        }
        return SuiteSource(schema: schema)
      }
      format.problems.add(
        node.location, "there is no registered type `\(name)`",
        allowed: NearestName.hint(
          for: name, among: types.keys.sorted(), what: "registered types"))
    }
    return nil
  }

  private mutating func promptSet(_ node: SourceNode, path: String) -> SuiteSource? {
    var check = FormatCheck(file: path)
    guard check.check(node, .table(.promptSet), name: "prompt set") else {
      otherProblems += check.problems.problems
      return nil
    }
    var places: [String: SourceLocation] = [:]
    for part in node["subComponents"]?.elements ?? [] {
      guard let title = part["title"], let text = title.text else { continue }
      if let first = places[text] {
        check.problems.add(
          title.location, "the title `\(text)` is used twice",
          allowed: "the first one is at \(path):\(first.line):\(first.column)")
      }
      places[text] = title.location
    }
    otherProblems += check.problems.problems
    guard check.problems.problems.isEmpty, let set = PromptSet(node) else { return nil }
    do {
      return SuiteSource(schema: try set.schema(), instructions: set.instructions)
    } catch {
      otherProblems.append(
        SuiteProblem(
          file: path, line: node.location.line, column: node.location.column,
          problem: "no schema can be built from the prompt set: \(error)"))
      return nil
    }
  }

  /// Reads the document at the path that a node of the suite file contains.
  mutating func document(named node: SourceNode) -> (path: String, node: SourceNode)? {
    guard let name = node.text else { return nil }
    let other = FilePath.join(FilePath.folder(of: path), name)
    guard reader.files.kind(other) == .file else {
      format.problems.add(
        node.location, "there is no file `\(other)`",
        allowed: "paths are relative to the suite file")
      return nil
    }
    do throws(SuiteProblem) {
      return (other, try reader.document(other))
    } catch {
      otherProblems.append(error)
      return nil
    }
  }

  /// Converts an error of the schema reader to a problem at the corresponding position in the
  /// document.
  static func problem(
    _ error: SchemaReadError, in document: SourceNode, file: String
  ) -> SuiteProblem {
    let place = document.part(at: error.path).location
    return SuiteProblem(
      file: file, line: place.line, column: place.column,
      problem: "\(error.words) (at \(error.path))")
  }
}
