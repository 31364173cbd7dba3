import GuidedGeneration
import Tokenization

/// A schema compiled for a vocabulary; it is immutable, and any number of workers can share it.
///
/// Each worker creates one `TokenAutomaton` from it and keeps that automaton for all answers with
/// the schema. The automaton's tables grow with use. An existing automaton takes locks only when it
/// computes a new mask at a loop of a pattern or in white space with a bound. The tables for these
/// masks belong to the vocabulary, so workers share them (`TokenClasses`, `ClassTable`,
/// `BoundedSpaces`).
package struct CompiledGrammar: Sendable {
  /// The grammar.
  package let grammar: Grammar
  /// The vocabulary's tables.
  package let table: TokenTable
  /// A grammar that also allows any white space; nil unless sessions measure format pressure.
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

  /// Creates a compiled grammar with which sessions can separate format pressure from content
  /// pressure.
  ///
  /// It has two grammars of the schema: one with the requested white space, and one with any white
  /// space. The parameters are those of `init(schema:table:options:)`.
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
