import GuidedGeneration
import Tokenization

/// A schema compiled for a vocabulary: immutable, shared by any number of workers.
///
/// Each worker creates one `TokenAutomaton` from it and keeps that for all answers with the schema;
/// the automaton's tables grow with use. So an automaton takes no locks, except when it first
/// computes a mask inside a loop of a pattern, because the tables of loops belong to the vocabulary
/// (`TokenTable.classes`, `TokenClasses`, `ClassTable`).
package struct CompiledGrammar: Sendable {
  /// The grammar.
  package let grammar: Grammar
  /// The vocabulary's tables.
  package let table: TokenTable
  /// A grammar that also allows any white space; nil unless format pressure is measured.
  private let freeGrammar: Grammar?

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema to generate.
  ///   - table: The tables of the model's vocabulary, built for the dialect of `options`.
  ///   - options: White space, spellings and limits.
  /// - Throws: `GrammarError` if the schema has no grammar.
  package init(
    schema: GenerationSchema, table: TokenTable, options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) {
    precondition(table.dialect == options.dialect, "tables and grammar have one dialect")
    grammar = try Grammar(schema: schema, options: options)
    self.table = table
    freeGrammar = nil
  }

  /// Compiles a schema twice, as requested and with any white space, so that sessions can separate
  /// format pressure from content pressure.
  ///
  /// - Throws: `GrammarError` if the schema has no grammar.
  package init(
    measuringFormat schema: GenerationSchema, table: TokenTable,
    options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) {
    precondition(table.dialect == options.dialect, "tables and grammar have one dialect")
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
