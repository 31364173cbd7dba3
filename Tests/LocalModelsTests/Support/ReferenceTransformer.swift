import Foundation

/// The transformer as its papers write it, in float64, one plain loop after the other.
///
/// Independent of the module under test: it shares neither code nor layout with it.
struct ReferenceTransformer {
  let model: TinyModel

  /// The logits after each of the tokens.
  func logits(_ tokens: [Int]) -> [[Double]] {
    let m = model
    let width = m.width
    var stream = tokens.map { token in
      (0..<width).map { m.weights["token_embd.weight"]![token * width + $0] }
    }
    for layer in 0..<m.layers {
      let p = "blk.\(layer)."
      var keys: [[Double]] = []
      var values: [[Double]] = []
      for position in stream.indices {
        let x = norm(stream[position], p + "attn_norm.weight")
        var q = multiply(p + "attn_q.weight", x, bias: p + "attn_q.bias")
        var k = multiply(p + "attn_k.weight", x, bias: p + "attn_k.bias")
        // SmolLM3: layers 3, 7, 11 … (from 0) know no positions.
        let angle = m.architecture == "smollm3" && layer % 4 == 3 ? 0 : position
        q = heads(q, m.heads, angle, p + "attn_q_norm.weight")
        k = heads(k, m.keyValueHeads, angle, p + "attn_k_norm.weight")
        keys.append(k)
        values.append(multiply(p + "attn_v.weight", x, bias: p + "attn_v.bias"))
        var mixed: [Double] = []
        for head in 0..<m.heads {
          let own = head * m.headLength
          let shared = head / (m.heads / m.keyValueHeads) * m.headLength
          let scores = keys.map { key in
            (0..<m.headLength).reduce(0) { $0 + q[own + $1] * key[shared + $1] }
              / Double(m.headLength).squareRoot()
          }
          let most = scores.max()!
          let weights = scores.map { exp($0 - most) }
          let total = weights.reduce(0, +)
          for element in 0..<m.headLength {
            mixed.append(
              zip(weights, values).reduce(0) { $0 + $1.0 / total * $1.1[shared + element] })
          }
        }
        stream[position] = sum(stream[position], multiply(p + "attn_output.weight", mixed))
      }
      for position in stream.indices {
        let x = norm(stream[position], p + "ffn_norm.weight")
        let gate = multiply(p + "ffn_gate.weight", x).map { $0 / (1 + exp(-$0)) }
        let up = multiply(p + "ffn_up.weight", x)
        stream[position] = sum(
          stream[position], multiply(p + "ffn_down.weight", zip(gate, up).map(*)))
      }
    }
    return stream.map {
      multiply(
        m.isTied ? "token_embd.weight" : "output.weight", norm($0, "output_norm.weight"))
    }
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

  /// Norms each head where the model does so, then rotates it.
  private func heads(_ x: [Double], _ count: Int, _ position: Int, _ normName: String) -> [Double] {
    let n = model.headLength
    var result: [Double] = []
    for head in 0..<count {
      var part = Array(x[head * n..<(head + 1) * n])
      if model.weights[normName] != nil { part = norm(part, normName) }
      var rotated = part
      for pair in 0..<n / 2 {
        let factor = model.weights["rope_freqs.weight"]?[pair] ?? 1
        let angle = Double(position) * pow(10000, -2 * Double(pair) / Double(n)) / factor
        let (i, j) =
          !model.architecture.hasPrefix("qwen") ? (2 * pair, 2 * pair + 1) : (pair, pair + n / 2)
        rotated[i] = part[i] * cos(angle) - part[j] * sin(angle)
        rotated[j] = part[i] * sin(angle) + part[j] * cos(angle)
      }
      result += rotated
    }
    return result
  }
}
