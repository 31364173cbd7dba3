import Foundation

/// The transformer as its papers describe it, in float64 and with plain loops.
///
/// It shares neither code nor memory layout with the module under test.
struct ReferenceTransformer {
  let model: TinyModel

  /// Returns the logits after each of the tokens.
  ///
  /// - Parameter isLong: Whether the context is longer than the model's original one.
  func logits(_ tokens: [Int], isLong: Bool = false) -> [[Double]] {
    let m = model
    let width = m.width
    let isGemma = m.architecture == "gemma3"
    // Gemma multiplies embeddings by the square root of their length.
    let scale = isGemma ? Double(width).squareRoot() : 1
    var stream = tokens.map { token in
      (0..<width).map { m.weights["token_embd.weight"]![token * width + $0] * scale }
    }
    for layer in 0..<m.layers {
      let p = "blk.\(layer)."
      // In Gemma 3, every sixth layer has no window. In Phi-3, every layer has one.
      let isWindowed = m.window != nil && (!isGemma || layer % 6 != 5)
      var keys: [[Double]] = []
      var values: [[Double]] = []
      for position in stream.indices {
        let x = norm(stream[position], p + "attn_norm.weight")
        var (q, k, v) = attentionInputs(p, x)
        // In SmolLM3, layers 3, 7, 11 … (counted from 0) don't use positions.
        let angle = m.architecture == "smollm3" && layer % 4 == 3 ? 0 : position
        let frequencies = frequencies(isLocal: isGemma && isWindowed, isLong: isLong)
        q = heads(q, m.heads, angle, p + "attn_q_norm.weight", frequencies)
        k = heads(k, m.keyValueHeads, angle, p + "attn_k_norm.weight", frequencies)
        if m.isYarn, m.architecture == "mistral3" {
          // Ministral 3 multiplies queries by 1 + 0.1 ln(⌊p / 8⌋ + 1).
          q = q.map { $0 * (1 + 0.1 * log((Double(position) / 8).rounded(.down) + 1)) }
        }
        keys.append(k)
        values.append(v)
        let seen = isWindowed ? max(0, position - m.window! + 1) : 0
        var mixed: [Double] = []
        for head in 0..<m.heads {
          let own = head * m.headLength
          let shared = head / (m.heads / m.keyValueHeads) * m.headLength
          let scores = keys[seen...].map { key in
            (0..<m.headLength).reduce(0) { $0 + q[own + $1] * key[shared + $1] }
              / Double(m.headLength).squareRoot()
          }
          let most = scores.max()!
          let weights = scores.map { exp($0 - most) }
          let total = weights.reduce(0, +)
          for element in 0..<m.headLength {
            mixed.append(
              zip(weights, values[seen...]).reduce(0) { $0 + $1.0 / total * $1.1[shared + element] }
            )
          }
        }
        var output = multiply(p + "attn_output.weight", mixed)
        if isGemma { output = norm(output, p + "post_attention_norm.weight") }
        stream[position] = sum(stream[position], output)
      }
      for position in stream.indices {
        let x = norm(stream[position], p + "ffn_norm.weight")
        let both = multiply(p + "ffn_up.weight", x)
        let isFused = m.architecture == "phi3"
        let gate = isFused ? Array(both[..<m.feedForward]) : multiply(p + "ffn_gate.weight", x)
        let up = isFused ? Array(both[m.feedForward...]) : both
        var output = multiply(
          p + "ffn_down.weight", zip(gate.map(isGemma ? gelu : silu), up).map(*))
        if isGemma { output = norm(output, p + "post_ffw_norm.weight") }
        stream[position] = sum(stream[position], output)
      }
    }
    return stream.map {
      let logits = multiply(
        m.isTied ? "token_embd.weight" : "output.weight", norm($0, "output_norm.weight"))
      guard let cap = m.logitCap.map(Double.init) else { return logits }
      return logits.map { cap * tanh($0 / cap) }
    }
  }

  private func silu(_ x: Double) -> Double { x / (1 + exp(-x)) }

  private func gelu(_ x: Double) -> Double {
    x / 2 * (1 + tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
  }

  /// Returns the queries, keys and values of one position.
  private func attentionInputs(
    _ p: String, _ x: [Double]
  ) -> (q: [Double], k: [Double], v: [Double]) {
    guard model.architecture == "phi3" else {
      return (
        multiply(p + "attn_q.weight", x, bias: p + "attn_q.bias"),
        multiply(p + "attn_k.weight", x, bias: p + "attn_k.bias"),
        multiply(p + "attn_v.weight", x, bias: p + "attn_v.bias")
      )
    }
    let all = multiply(p + "attn_qkv.weight", x)
    let (q, k) = (model.heads * model.headLength, model.keyValueHeads * model.headLength)
    return (Array(all[..<q]), Array(all[q..<q + k]), Array(all[(q + k)...]))
  }

  /// Returns the frequency of each pair, and the factor for cosines and sines.
  private func frequencies(
    isLocal: Bool, isLong: Bool
  ) -> (pairs: [Double], magnitude: Double) {
    let n = model.rotated ?? model.headLength
    let base = model.rotationBase(isLocal: isLocal)
    var pairs = (0..<n / 2).map { pow(base, -2 * Double($0) / Double(n)) }
    if model.hasLongFactors {
      let factors = model.weights["rope_factors_\(isLong ? "long" : "short").weight"]!
      return (zip(pairs, factors).map(/), 1.19)
    }
    if let factors = model.weights["rope_freqs.weight"] { pairs = zip(pairs, factors).map(/) }
    if let stretch = model.linearStretch, !isLocal { pairs = pairs.map { $0 / stretch } }
    guard model.isYarn else { return (pairs, 1) }
    // YaRN with factor 16 and an original context of 8 tokens. Pairs that turn more than 4 times
    // within that context keep their frequency. Pairs that turn less than 0.1 times get a
    // sixteenth of their frequency.
    func pair(_ turns: Double) -> Double {
      Double(n) * log(8 / (turns * 2 * .pi)) / (2 * log(base))
    }
    let low = max(floor(pair(4)), 0)
    let high = min(ceil(pair(0.1)), Double(n - 1))
    for j in pairs.indices {
      let ramp = min(max((Double(j) - low) / (high - low), 0), 1)
      pairs[j] = pairs[j] / 16 * ramp + pairs[j] * (1 - ramp)
    }
    return (pairs, 0.1 * log(16) + 1)
  }

  private func sum(_ a: [Double], _ b: [Double]) -> [Double] { zip(a, b).map(+) }

  private func norm(_ x: [Double], _ name: String) -> [Double] {
    let mean = x.reduce(0) { $0 + $1 * $1 } / Double(x.count)
    return zip(x, model.weights[name]!).map { $0 / (mean + 1e-5).squareRoot() * $1 }
  }

  private func multiply(_ name: String, _ x: [Double], bias: String = "") -> [Double] {
    let matrix = model.weights[name]!
    let bias = model.weights[bias]
    return (0..<matrix.count / x.count).map { row in
      var sum = bias?[row] ?? 0
      for column in x.indices { sum += matrix[row * x.count + column] * x[column] }
      return sum
    }
  }

  /// Normalizes each head if the model does so, then rotates it.
  private func heads(
    _ x: [Double], _ count: Int, _ position: Int, _ normName: String,
    _ frequencies: (pairs: [Double], magnitude: Double)
  ) -> [Double] {
    let n = model.headLength
    let turned = model.rotated ?? n
    var result: [Double] = []
    for head in 0..<count {
      var part = Array(x[head * n..<(head + 1) * n])
      if model.weights[normName] != nil { part = norm(part, normName) }
      var rotated = part
      for pair in 0..<turned / 2 {
        let angle = Double(position) * frequencies.pairs[pair]
        let isNeighbours = ["llama", "smollm3", "mistral3"].contains(model.architecture)
        let (i, j) = isNeighbours ? (2 * pair, 2 * pair + 1) : (pair, pair + turned / 2)
        let (c, s) = (cos(angle) * frequencies.magnitude, sin(angle) * frequencies.magnitude)
        rotated[i] = part[i] * c - part[j] * s
        rotated[j] = part[i] * s + part[j] * c
      }
      result += rotated
    }
    return result
  }
}
