"""Writes a checkpoint as GGUF version 3, with matrices in Q8_0, norms in F32, and the tokenizer.

    python export_gguf.py work/final.pt assay-toy.gguf
"""

import argparse
import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import torch

from prompt import SPECIALS

TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' "
    "+ '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")

U32, I32, F32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
TENSOR_F32, TENSOR_Q8_0 = 0, 8
ALIGNMENT = 32


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


PACK = {U32: lambda v: struct.pack("<I", v), I32: lambda v: struct.pack("<i", v), F32: lambda v: struct.pack("<f", v),
        BOOL: lambda v: struct.pack("<?", v), STRING: text}


def entry(key, kind, value, items=None):
    head = text(key) + struct.pack("<I", kind)
    if kind != ARRAY:
        return head + PACK[kind](value)
    return head + struct.pack("<IQ", items, len(value)) + b"".join(PACK[items](v) for v in value)


def q8_0(matrix):
    """Packs blocks of 32 values, each as a half-precision scale and 32 signed bytes."""
    blocks = matrix.reshape(-1, 32).astype(np.float32)
    scale = np.abs(blocks).max(1, keepdims=True) / 127
    inverse = np.divide(1, scale, out=np.zeros_like(scale), where=scale > 0)
    values = np.trunc(blocks * inverse + np.copysign(0.5, blocks)).astype(np.int8)
    packed = np.zeros(len(blocks), dtype=[("scale", "<f2"), ("values", "i1", 32)])
    packed["scale"], packed["values"] = scale[:, 0], values
    return packed.tobytes()


def tensors(weights, layers):
    yield "token_embd.weight", weights["embedding.weight"]
    yield "output_norm.weight", weights["norm.weight"]
    names = {"attn_norm": "attention_norm", "attn_q": "query", "attn_k": "key", "attn_v": "value",
             "attn_output": "output", "ffn_norm": "feed_norm", "ffn_gate": "gate", "ffn_up": "up", "ffn_down": "down"}
    for layer in range(layers):
        for theirs, ours in names.items():
            yield f"blk.{layer}.{theirs}.weight", weights[f"blocks.{layer}.{ours}.weight"]


def metadata(shape, vocabulary):
    model = vocabulary["model"]
    tokens = [t for t, _ in sorted(model["vocab"].items(), key=lambda pair: pair[1])]
    merges = [m if isinstance(m, str) else " ".join(m) for m in model["merges"]]
    kinds = [3 if t in SPECIALS else 1 for t in tokens]
    return [
        entry("general.architecture", STRING, "llama"),
        entry("general.type", STRING, "model"),
        entry("general.name", STRING, "Assay Toy"),
        entry("general.description", STRING, "toy"),
        entry("general.license", STRING, "apache-2.0"),
        entry("general.file_type", U32, 7),
        entry("general.quantization_version", U32, 2),
        entry("llama.context_length", U32, shape["context"]),
        entry("llama.embedding_length", U32, shape["width"]),
        entry("llama.block_count", U32, shape["layers"]),
        entry("llama.feed_forward_length", U32, shape["hidden"]),
        entry("llama.attention.head_count", U32, shape["heads"]),
        entry("llama.attention.head_count_kv", U32, shape["heads"]),
        entry("llama.attention.layer_norm_rms_epsilon", F32, shape["epsilon"]),
        entry("llama.rope.dimension_count", U32, shape["width"] // shape["heads"]),
        entry("llama.rope.freq_base", F32, shape["rope_base"]),
        entry("llama.vocab_size", U32, shape["vocabulary"]),
        entry("tokenizer.ggml.model", STRING, "gpt2"),
        entry("tokenizer.ggml.pre", STRING, "smollm"),
        entry("tokenizer.ggml.tokens", ARRAY, tokens, STRING),
        entry("tokenizer.ggml.token_type", ARRAY, kinds, I32),
        entry("tokenizer.ggml.merges", ARRAY, merges, STRING),
        entry("tokenizer.ggml.bos_token_id", U32, tokens.index("<|im_start|>")),
        entry("tokenizer.ggml.eos_token_id", U32, tokens.index("<|im_end|>")),
        entry("tokenizer.ggml.padding_token_id", U32, tokens.index("<|endoftext|>")),
        entry("tokenizer.ggml.add_bos_token", BOOL, False),
        entry("tokenizer.chat_template", STRING, TEMPLATE),
    ]


def write(shape, weights, vocabulary, path):
    infos, blobs, offset = [], [], 0
    for name, tensor in tensors(weights, shape["layers"]):
        values = tensor.float().numpy()
        matrix = values.ndim == 2
        data = q8_0(values) if matrix else values.astype("<f4").tobytes()
        sizes = values.shape[::-1]
        infos.append(text(name) + struct.pack("<I", len(sizes)) + b"".join(struct.pack("<Q", n) for n in sizes)
                     + struct.pack("<IQ", TENSOR_Q8_0 if matrix else TENSOR_F32, offset))
        data += bytes(-len(data) % ALIGNMENT)
        blobs.append(data)
        offset += len(data)
    entries = metadata(shape, vocabulary)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(infos), len(entries)) + b"".join(entries) + b"".join(infos)
    head += bytes(-len(head) % ALIGNMENT)
    path.write_bytes(head + b"".join(blobs))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    stored = torch.load(options.checkpoint)
    words = json.loads((options.checkpoint.parent / "tokenizer.json").read_text())
    write(stored["shape"], stored["weights"], words, options.output)
    data = options.output.read_bytes()
    print(f"{options.output}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}, "
          f"{sum(t.numel() for t in stored['weights'].values())} parameters")
