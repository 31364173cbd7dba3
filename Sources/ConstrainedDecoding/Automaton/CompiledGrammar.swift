import GuidedGeneration
import Tokenization

/// An immutable schema, compiled for one vocabulary, that any number of workers can share.
///
/// Each worker creates one `TokenAutomaton` from the compiled grammar and uses it for all answers
/// with the schema. The automaton's tables grow as it's used. Once created, an automaton takes
/// locks only to compute a new mask inside a pattern's loop (`ClassLoop`) or in white space with a
/// bound (`WhitespaceBound`). The tables for these masks belong to the vocabulary, so all workers
/// share them (`TokenClasses`, `ClassTable`, `BoundedSpaces`).
package struct CompiledGrammar: Sendable {
  /// The grammar.
  package let grammar: Grammar
  /// The vocabulary's tables.
  package let table: TokenTable
  /// A grammar for the same schema that allows any white space, or nil if sessions don't measure
  /// format pressure.
  private let freeGrammar: Grammar?

  /// Creates a compiled grammar from a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema to generate.
  ///   - table: The tables of the model's vocabulary, built for the dialect of `options`.
  ///   - options: White space, spellings and limits.
  /// - Throws: `GrammarError` if the schema can't be compiled.
  package init(
    schema: GenerationSchema, table: TokenTable, options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) {
    precondition(table.dialect == options.dialect, "the tables must have the options' dialect")
    grammar = try Grammar(schema: schema, options: options)
    self.table = table
    freeGrammar = nil
  }

  /// Creates a compiled grammar for sessions that separate format pressure from content pressure.
  ///
  /// It holds two grammars for the schema: one with the requested white space, and one that allows
  /// any white space. The parameters are those of `init(schema:table:options:)`.
  ///
  /// - Throws: `GrammarError` if the schema can't be compiled.
  package init(
    measuringFormat schema: GenerationSchema, table: TokenTable,
    options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) {
    precondition(table.dialect == options.dialect, "the tables must have the options' dialect")
    grammar = try Grammar(schema: schema, options: options)
    self.table = table
    var free = options
    free.whitespace = .flexible
    freeGrammar = try Grammar(schema: schema, options: free)
  }

  /// Creates a new automaton for one worker.
  package func makeAutomaton() -> TokenAutomaton {
    TokenAutomaton(
      grammar: grammar, table: table,
      free: freeGrammar.map { TokenAutomaton(grammar: $0, table: table) })
  }
}
