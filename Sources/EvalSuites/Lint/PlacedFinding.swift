import GuidedGeneration
import StructuredText

/// A possible improvement to a schema or its guides, with its position in the file.
public struct PlacedFinding: Sendable, Hashable {
  /// The suite's id; empty if only a schema file was checked.
  public var suite: String
  /// The variant's id; empty if only a schema file was checked.
  public var variant: String
  /// The file.
  public var file: String
  /// The line, starting at 1, or 0 if there is no position.
  public var line: Int
  /// The column in characters, starting at 1.
  public var column: Int
  /// The finding.
  public var finding: LintFinding
}

extension PlacedFinding: CustomStringConvertible {
  /// The finding in the format of compiler messages: `file:line:column: place: finding; reason
  /// [rule]`.
  ///
  /// A guide written in Swift has no position in a file, so the description names only the suite.
  public var description: String {
    line > 0 ? "\(file):\(line):\(column): \(finding)" : "\(file): \(finding)"
  }
}

extension Suite {
  /// Returns possible improvements to a variant's schema and guides, without the findings that the
  /// suite silences.
  ///
  /// - Parameter variant: The variant's id, or `nil` for the first variant.
  /// - Returns: The findings about keywords, followed by the findings about types and properties,
  ///   each in the order of the schema.
  public func placedFindings(variant: String? = nil) -> [PlacedFinding] {
    let id = variant ?? variants.first?.id ?? ""
    let places = schemaDocument?.node.map { SchemaPlaces($0).locations } ?? [:]
    let start = schemaDocument?.location ?? SourceLocation(line: 0, column: 0)
    let file = schemaDocument?.path ?? path
    return documentFindings(variant: id)
      + lint(variant: id).map { finding in
        let place = places[finding.place] ?? start
        return PlacedFinding(
          suite: self.id, variant: id, file: file, line: place.line, column: place.column,
          finding: finding)
      }
  }

  /// Returns the findings about the schema's document, without the ones that the suite silences.
  ///
  /// - Parameter variant: The variant's id, or `nil` for the first variant.
  public func documentFindings(variant: String? = nil) -> [PlacedFinding] {
    keywordFindings.filter { placed in
      !silencedRules.contains { Self.silences($0, placed.finding) }
    }.map { placed in
      PlacedFinding(
        suite: id, variant: variant ?? variants.first?.id ?? "",
        file: schemaDocument?.path ?? path, placed)
    }
  }

  /// The entries under `silence` that match no finding in any variant.
  public var needlessSilences: [String] {
    let findings =
      variants.flatMap { guideFindings(of: $0) }
      + keywordFindings.map(\.finding)
    return silencedRules.filter { silence in
      !findings.contains { Self.silences(silence, $0) }
    }
  }

  /// The findings about the keys of the schema file.
  private var keywordFindings: [KeywordLint.Placed] {
    schemaDocument?.node.map { KeywordLint.findings(in: $0) } ?? []
  }

  /// Returns whether an entry under `silence` matches a finding; the entry names a rule, or a rule
  /// and a place.
  private static func silences(_ silence: String, _ finding: LintFinding) -> Bool {
    silence == finding.rule.rawValue || silence == "\(finding.rule.rawValue) at \(finding.place)"
  }
}

extension SuiteLoader {
  /// Checks the keywords and the guides of a schema file.
  ///
  /// - Parameter path: A schema in Apple's dialect or in plain JSON Schema.
  /// - Throws: A problem if the file can't be read as a schema.
  public func findings(inSchemaFile path: String) throws(SuiteProblem) -> [PlacedFinding] {
    let document = try DocumentReader(files: files).document(path)
    let schema: GenerationSchema
    do throws(SchemaReadError) {
      schema = try GenerationSchema(json: document.value)
    } catch {
      throw SuiteBuilder.problem(error, in: document, file: path)
    }
    let places = SchemaPlaces(document).locations
    return KeywordLint.findings(in: document)
      .map { PlacedFinding(suite: "", variant: "", file: path, $0) }
      + GuideLint.findings(in: schema).map { finding in
        let place = places[finding.place] ?? document.location
        return PlacedFinding(
          suite: "", variant: "", file: path, line: place.line, column: place.column,
          finding: finding)
      }
  }
}
