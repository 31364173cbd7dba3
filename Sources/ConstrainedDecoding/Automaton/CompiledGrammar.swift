import GuidedGeneration
import Tokenization

/// A schema compiled for a vocabulary: immutable, shared by any number of workers.
///
/// Each worker makes one `TokenAutomaton` of it, whose tables grow with use, and keeps that for
/// the answers of the schema; so no lock stands in the way of a token. Locks are taken only where
/// a mask in a loop of a pattern is made for the first time: its tables are the vocabulary's
/// (`TokenTable.classes`, `TokenClasses`, `ClassTable`).
package struct CompiledGrammar: Sendable {
  /// The grammar.
  package let grammar: Grammar
  /// The vocabulary's tables.
  package let table: TokenTable
  /// The same values in whatever white space, where format pressure is measured.
  private let freeGrammar: Grammar?

  /// Compiles a schema.
  ///
  /// - Parameters:
  ///   - schema: What is to be generated.
  ///   - table: The tables of the model's vocabulary, made for the dialect of `options`.
  ///   - options: White space, spellings and limits.
  /// - Throws: `GrammarError` where the schema has no grammar.
  package init(
    schema: GenerationSchema, table: TokenTable, options: GrammarOptions = GrammarOptions()
  ) throws(GrammarError) {
    precondition(table.dialect == options.dialect, "tables and grammar have one dialect")
    grammar = try Grammar(schema: schema, options: options)
    self.table = table
    freeGrammar = nil
  }

  /// Compiles a schema twice: as asked, and in whatever white space, so that sessions can tell format
  /// pressure from content pressure.
  ///
  /// - Throws: `GrammarError` where the schema has no grammar.
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

  /// A fresh automaton, for one worker.
  package func makeAutomaton() -> TokenAutomaton {
    TokenAutomaton(
      grammar: grammar, table: table,
      free: freeGrammar.map { TokenAutomaton(grammar: $0, table: table) })
  }
}
