import Tokenization

/// A prompt in a predictor's slot, shared by all requests that have the same prompt.
///
/// An *order* (`LocalOrder`) is a request with the receivers of its answers.
final class HeldPrompt {
  let slot: Int
  let tokens: [TokenID]
  /// The number of tokens in the slot.
  var evaluated: Int
  /// The logits after the last token, or an empty array until the last token is evaluated.
  var logits: [Float] = []
  /// The number of orders that need the prompt.
  fileprivate(set) var users = 1
  fileprivate var lastUse = 0

  fileprivate init(slot: Int, tokens: [TokenID], evaluated: Int) {
    self.slot = slot
    self.tokens = tokens
    self.evaluated = evaluated
  }

  /// Whether all tokens are evaluated.
  var isReady: Bool { !logits.isEmpty }
}

/// Keeps prompts in a predictor's slots, so that a new prompt can reuse the beginning that it
/// shares with another prompt.
///
/// All prompts of a suite begin in the same way (instructions and schema), and prompts of the same
/// variant have even more in common. So a new prompt starts with a copy of the longest beginning
/// that it shares with a kept prompt. The type keeps all prompts in use, and the few unused prompts
/// that were requested last.
struct PromptShelf {
  private var prompts: [HeldPrompt] = []
  private var uses = 0
  private let predictor: any TokenPredictor
  private let slots: SlotPool
  /// The maximum number of unused prompts to keep.
  private let mostIdle: Int

  init(predictor: any TokenPredictor, slots: SlotPool, mostIdle: Int) {
    self.predictor = predictor
    self.slots = slots
    self.mostIdle = mostIdle
  }

  /// Returns the prompt with these tokens, and counts one more order as its user.
  ///
  /// If the prompt is new, the method takes a slot for it, and copies into this slot the longest
  /// beginning that the prompt shares with a kept prompt.
  ///
  /// - Parameter tokens: The prompt's tokens, of which there must be at least one.
  mutating func hold(_ tokens: [TokenID]) -> HeldPrompt {
    uses += 1
    if let known = prompts.first(where: { $0.tokens == tokens }) {
      known.users += 1
      known.lastUse = uses
      return known
    }
    let prompt = HeldPrompt(slot: slots.take(), tokens: tokens, evaluated: 0)
    prompt.lastUse = uses
    extend(prompt)
    prompts.append(prompt)
    return prompt
  }

  /// Copies into a prompt's slot the longest beginning that the prompt shares with a kept prompt.
  private func extend(_ prompt: HeldPrompt) {
    // Leave at least one token to evaluate, because its logits are needed.
    func shared(_ other: HeldPrompt) -> Int {
      let count = zip(other.tokens.prefix(other.evaluated), prompt.tokens)
        .prefix { $0 == $1 }.count
      return min(count, prompt.tokens.count - 1)
    }
    guard let best = prompts.max(by: { shared($0) < shared($1) }) else { return }
    prompt.evaluated = shared(best)
    predictor.copy(fromSlot: best.slot, toSlot: prompt.slot)
    predictor.rewind(slot: prompt.slot, to: prompt.evaluated)
  }

  /// Removes one user of the prompt.
  ///
  /// If no user is left, the prompt stays in its slot only while it is among the most recently used
  /// of the unused prompts. A prompt that isn't fully evaluated doesn't stay.
  mutating func release(_ prompt: HeldPrompt) {
    prompt.users -= 1
    if !prompt.isReady, prompt.users == 0 { remove(prompt) }
    let idle = prompts.filter { $0.users == 0 }
    if idle.count > mostIdle { dropOldest() }
  }

  /// Removes the unused prompt that was requested least recently.
  ///
  /// - Returns: True if there was such a prompt.
  @discardableResult
  mutating func dropOldest() -> Bool {
    let idle = prompts.filter { $0.users == 0 }
    guard let oldest = idle.min(by: { $0.lastUse < $1.lastUse }) else { return false }
    remove(oldest)
    return true
  }

  private mutating func remove(_ prompt: HeldPrompt) {
    prompts.removeAll { $0 === prompt }
    predictor.rewind(slot: prompt.slot, to: 0)
    slots.give(prompt.slot)
  }
}
