import EvalRecords
import GuidedGeneration
import StructuredText

/// The edits that turn one variant of a suite into another.
///
/// Any of the edits can be combined, but not every combination gives a valid schema.
public struct VariantDifference: Sendable {
  /// The edits: first the edits to the schema, then the edits to the instructions, the prompt and
  /// the options.
  public let edits: [VariantEdit]
  private let base: SuiteVariant
  private let candidate: SuiteVariant
  private let schema: SchemaDifference

  /// Creates the difference between two variants.
  ///
  /// - Parameters:
  ///   - base: The variant before the edits.
  ///   - candidate: The variant after the edits.
  public init(from base: SuiteVariant, to candidate: SuiteVariant) {
    self.base = base
    self.candidate = candidate
    schema = SchemaDifference(
      from: base.generationSchema.json, to: candidate.generationSchema.json)
    var edits = schema.edits.map(VariantEdit.schema)
    if base.instructions != candidate.instructions {
      edits.append(.instructions(before: base.instructions, after: candidate.instructions))
    }
    if base.prompt != candidate.prompt {
      edits.append(.prompt(before: base.prompt.text, after: candidate.prompt.text))
    }
    let (before, after) = (base.options, candidate.options)
    for key in GenerationSetting.allCases where before[key] != after[key] {
      edits.append(.option(before: before, after: after, key))
    }
    self.edits = edits
  }

  /// Returns the base variant with some of the edits applied.
  ///
  /// - Parameters:
  ///   - edits: The edits to apply, which must belong to this difference.
  ///   - id: The id of the new variant.
  ///   - title: The title of the new variant.
  /// - Throws: `LabError` if these edits alone don't give a valid schema.
  public func variant(
    making edits: [VariantEdit], id: String, title: String
  ) throws(LabError) -> SuiteVariant {
    let schemaEdits = edits.compactMap { if case .schema(let edit) = $0 { edit } else { nil } }
    return try base.applying(
      edits, schema: schema.schema(making: schemaEdits),
      judgedAs: [candidate.generationSchema, base.generationSchema], id: id, title: title)
  }
}

/// An error for edits that can't be applied without other edits.
public struct LabError: Error, Hashable, CustomStringConvertible {
  /// A description of the edit or edits.
  public let edit: String
  /// The reason why the edits can't be applied.
  public let reason: String

  public var description: String { "\(edit) can't be tried alone: \(reason)" }
}

extension SuiteVariant {
  /// Returns the variant with a new schema, and with the edits to its texts and options applied.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - schema: The schema after the edits.
  ///   - sources: The schemas whose open objects the new schema's objects follow; the last one
  ///     takes precedence.
  ///   - id: The id of the new variant.
  ///   - title: The title of the new variant.
  func applying(
    _ edits: [VariantEdit], schema: JSONValue, judgedAs sources: [GenerationSchema], id: String,
    title: String
  ) throws(LabError) -> SuiteVariant {
    var variant = self
    variant.id = id
    variant.title = title
    variant.edits = edits.map(\.title)
    // A variant's own stub imitates a model's reaction to that variant's guides. For this new
    // variant, the stub uses the answers of the test cases instead.
    variant.stub = nil
    do throws(SchemaReadError) {
      variant.generationSchema = sources.reduce(try GenerationSchema(json: schema)) {
        $0.accepting(as: $1)
      }
    } catch {
      throw LabError(edit: title, reason: error.description)
    }
    variant.schema = variant.generationSchema.json.compactText
    variant.judgedSchema = variant.generationSchema.judgedJSON?.compactText
    for edit in edits {
      switch edit {
      case .schema: continue
      case .option(_, let after, let key): variant.options[key] = after[key]
      case .instructions(_, let after): variant.instructions = after
      case .prompt(_, let after):
        do throws(PromptTemplate.SyntaxProblem) {
          variant.prompt = try PromptTemplate(parsing: after)
        } catch {
          throw LabError(edit: title, reason: error.problem)
        }
      }
    }
    return variant
  }
}
