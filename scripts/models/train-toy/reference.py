"""Evaluates the GGUF file with NumPy, independently of the engine and of `export_gguf.py`.

    python reference.py assay-toy.gguf work/tokenizer.json assay-toy.reference.json

Writes the logits of the dequantized model in float64 at four positions of a real prompt, and strings
with their token ids from the `tokenizers` library. The engine's tests compare its results with both.
"""

import argparse
import json
import struct
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}

PROMPT = """<|im_start|>system
You turn a passage into study cards.

Answer with JSON of type Deck.
Deck {
  cards: [Card] // Between two and five cards.
}<|im_end|>
<|im_start|>user
The tide rises twice a day.<|im_end|>
<|im_start|>assistant
{"cards":["""

STRINGS = [
    "", " ", "  ", "   x", "a", "The tide comes in twice a day.", "don't we'll I'm you've they're he'd it's", "DON'T WE'LL",
    "12 345 6.78", "year1984month", "2026-05-08T09:30", "{\"cards\":[{\"question\":\"Who?\",\"answer\":\"Ada.\"},{\"question\"",
    "{\"cards\":[]}", "\":[]", "\"}]}", "a\nb\n\nc\n\n\n", "\t tabs\t\tand  spaces ", "trailing spaces   ", "line\r\nend\r\n",
    "naïve café déjà vu", "Straße Ærø Łódź", "Привет, мир", "日本語のテキスト", "🙂🚀 emoji 👩‍👩‍👧", "“Curly quotes” — dash – … ellipsis",
    "!?;:,.-_/\\|@#$%^&*()[]{}<>~`'\"+=", "x = y+1; // comment", "½ ² Ⅷ ٣", "\u00a0nbsp\u2003em", "e\u0301 combining",
    "[DraftCard] 3...8", "DiscriminatedCraving | DiscriminatedSlip", "wordwordword 'quoted' 's",
]

SPECIAL = ["<|im_start|>user\nHi<|im_end|>\n", "a<|im_end|>b <|im_start|>"]


class File:
    def __init__(self, data):
        self.data, self.at = data, 0
        assert data[:4] == b"GGUF"
        self.at = 4
        version, count, pairs = self.read("<I"), self.read("<Q"), self.read("<Q")
        assert version == 3
        self.metadata = {}
        for _ in range(pairs):
            key = self.string()
            self.metadata[key] = self.value(self.read("<I"))
        infos = []
        for _ in range(count):
            name = self.string()
            sizes = [self.read("<Q") for _ in range(self.read("<I"))]
            infos.append((name, sizes, self.read("<I"), self.read("<Q")))
        base = (self.at + 31) // 32 * 32
        self.tensors = {n: self.tensor(base + offset, sizes, kind) for n, sizes, kind, offset in infos}

    def read(self, form):
        value = struct.unpack_from(form, self.data, self.at)[0]
        self.at += struct.calcsize(form)
        return value

    def string(self):
        size = self.read("<Q")
        self.at += size
        return self.data[self.at - size : self.at].decode()

    def value(self, kind):
        if kind == 8:
            return self.string()
        if kind == 9:
            items, size = self.read("<I"), self.read("<Q")
            return [self.value(items) for _ in range(size)]
        return self.read(SCALARS[kind])

    def tensor(self, start, sizes, kind):
        total = int(np.prod(sizes))
        shape = sizes[::-1]
        if kind == 0:
            return np.frombuffer(self.data, "<f4", total, start).astype(np.float64).reshape(shape)
        assert kind == 8
        raw = np.frombuffer(self.data, np.uint8, total // 32 * 34, start).reshape(-1, 34)
        scale = raw[:, :2].copy().view("<f2").astype(np.float64)
        return (scale * raw[:, 2:].copy().view(np.int8)).reshape(shape)


def logits(file, ids):
    m, t = file.metadata, file.tensors
    heads = m["llama.attention.head_count"]
    epsilon = m["llama.attention.layer_norm_rms_epsilon"]
    size = m["llama.rope.dimension_count"]
    n = len(ids)

    def norm(x, weight):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * weight

    angle = np.arange(n)[:, None] / m["llama.rope.freq_base"] ** (np.arange(0, size, 2) / size)

    def turn(x):
        z = x.reshape(n, heads, size // 2, 2)
        z = (z[..., 0] + 1j * z[..., 1]) * np.exp(1j * angle)[:, None, :]
        return np.stack((z.real, z.imag), -1).reshape(n, heads, size)

    x = t["token_embd.weight"][ids]
    for layer in range(m["llama.block_count"]):
        w = {k: t[f"blk.{layer}.{k}.weight"] for k in
             "attn_norm attn_q attn_k attn_v attn_output ffn_norm ffn_gate ffn_up ffn_down".split()}
        y = norm(x, w["attn_norm"])
        q, k, v = turn(y @ w["attn_q"].T), turn(y @ w["attn_k"].T), (y @ w["attn_v"].T).reshape(n, heads, size)
        scores = np.einsum("ihd,jhd->hij", q, k) / np.sqrt(size)
        scores[:, np.triu(np.ones((n, n), bool), 1)] = -np.inf
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        x = x + np.einsum("hij,jhd->ihd", scores, v).reshape(n, -1) @ w["attn_output"].T
        y = norm(x, w["ffn_norm"])
        gate = y @ w["ffn_gate"].T
        x = x + (gate / (1 + np.exp(-gate)) * (y @ w["ffn_up"].T)) @ w["ffn_down"].T
    return norm(x, t["output_norm.weight"]) @ t["token_embd.weight"].T


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    file = File(options.model.read_bytes())
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    ids = tokenizer.encode(PROMPT).ids
    rows = logits(file, ids)
    positions = [0, 1, len(ids) // 2, len(ids) - 1]
    result = {
        "prompt": PROMPT,
        "tokens": ids,
        "logits": [{"position": p, "values": [float(f"{v:.6g}") for v in rows[p]]} for p in positions],
        "tokenizer": [{"text": s, "ids": tokenizer.encode(s).ids} for s in STRINGS],
        "tokenizerWithSpecials": [{"text": s, "ids": tokenizer.encode(s).ids} for s in SPECIAL],
    }
    lines = json.dumps(result, indent=2, ensure_ascii=True)
    # Write each list of numbers on one line.
    import re
    lines = re.sub(r"\[\s+((?:-?[\d.e+-]+,\s+)*-?[\d.e+-]+)\s+\]",
                   lambda m: "[" + ", ".join(m.group(1).split(",")).replace("\n", "") + "]", lines)
    lines = re.sub(r",\s+(?=-?\d)", ", ", lines)
    options.output.write_text(lines + "\n")
    print(len(ids), "tokens;", options.output.stat().st_size, "bytes")
