"""Byte-level BPE on text that is split as for GPT-2, with each digit separate (`smollm` in llama.cpp)."""

import random

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import corpus
from prompt import SPECIALS


def train(size, examples, seed):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
    ])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=SPECIALS, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(corpus.tokenizer_text(random.Random(seed), examples), trainer)
    return tokenizer
