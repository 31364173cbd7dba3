"""A llama-style decoder: RMSNorm, rotary positions on adjacent pairs, SwiGLU, tied embeddings."""

from dataclasses import asdict, dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Shape:
    vocabulary: int
    width: int = 160
    layers: int = 4
    heads: int = 5
    hidden: int = 384
    context: int = 2048
    rope_base: float = 10000.0
    epsilon: float = 1e-5

    def as_dict(self):
        return asdict(self)


class Norm(nn.Module):
    def __init__(self, width, epsilon):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x):
        x = x.float()
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotate(x, cosine, sine):
    """Rotates the pairs (0,1), (2,3), … of every head by the angle of the position."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack((even * cosine - odd * sine, even * sine + odd * cosine), -1).flatten(-2)


def attend(q, k, v, rows=128):
    """Computes causal attention.

    In bfloat16 on a CPU, plain matrix products are faster than the fused kernel. The function
    multiplies each slice of `rows` queries only by the keys up to the slice's end, which halves the
    work.
    """
    length = q.shape[2]
    if q.dtype != torch.bfloat16:
        return F.scaled_dot_product_attention(q, k, v, is_causal=length > 1)
    q = q * q.shape[-1] ** -0.5
    mixed = []
    for first in range(0, length, rows):
        last = min(first + rows, length)
        scores = q[:, :, first:last] @ k[:, :, :last].transpose(-1, -2)
        later = torch.full((last - first, last), float("-inf"), dtype=q.dtype).triu(first + 1)
        mixed.append((scores + later).softmax(-1) @ v[:, :, :last])
    return torch.cat(mixed, 2)


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        d, f = shape.width, shape.hidden
        self.heads = shape.heads
        self.attention_norm, self.feed_norm = Norm(d, shape.epsilon), Norm(d, shape.epsilon)
        self.query, self.key, self.value, self.output = (nn.Linear(d, d, bias=False) for _ in range(4))
        self.gate, self.up = nn.Linear(d, f, bias=False), nn.Linear(d, f, bias=False)
        self.down = nn.Linear(f, d, bias=False)

    def forward(self, x, cosine, sine, cache=None):
        batch, length, width = x.shape
        y = self.attention_norm(x)
        q, k, v = (m(y).view(batch, length, self.heads, -1).transpose(1, 2) for m in (self.query, self.key, self.value))
        q, k = rotate(q, cosine, sine).to(v.dtype), rotate(k, cosine, sine).to(v.dtype)
        if cache is not None:
            if "k" in cache:
                k, v = torch.cat((cache["k"], k), 2), torch.cat((cache["v"], v), 2)
            cache["k"], cache["v"] = k, v
        mixed = attend(q, k, v)
        x = x + self.output(mixed.transpose(1, 2).reshape(batch, length, width))
        y = self.feed_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Toy(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width, shape.epsilon)
        nn.init.normal_(self.embedding.weight, std=0.02)
        for name, p in self.named_parameters():
            if p.dim() == 2 and "embedding" not in name:
                nn.init.normal_(p, std=0.5 * p.shape[1] ** -0.5)
                if "output" in name or "down" in name:
                    p.data.mul_((2 * shape.layers) ** -0.5)
        size = shape.width // shape.heads
        angles = torch.arange(shape.context)[:, None] * shape.rope_base ** (-torch.arange(0, size, 2) / size)
        self.register_buffer("cosine", angles.cos(), persistent=False)
        self.register_buffer("sine", angles.sin(), persistent=False)

    def forward(self, ids, chosen=None, cache=None, start=0):
        """Returns the logits of all positions, or only of the flattened positions in `chosen`."""
        x = self.embedding(ids)
        stop = start + ids.shape[1]
        for index, block in enumerate(self.blocks):
            x = block(x, self.cosine[start:stop], self.sine[start:stop], None if cache is None else cache[index])
        x = self.norm(x)
        if chosen is not None:
            x = x.reshape(-1, x.shape[-1])[chosen]
        return F.linear(x, self.embedding.weight)
