# SPDX-License-Identifier: Apache-2.0
"""RoBERTa of `transformers`, trained from random weights on synthetic tokens.

Classification: does the sentence hold more of the one marker token than of the other? Masked-LM: every sentence
is an arithmetic sequence of tokens, some of them masked.
"""
import training_loop

import torch
import transformers

_MASK = 50264
_FIRST_WORD = 10  # below: special tokens and the two markers
_SIZES = {
    "base": dict(hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072),
    "large": dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096),
    "tiny": dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64),
}


def parse():
    flags = training_loop.parser(__doc__.splitlines()[0], batch=32, steps=100)
    flags.add_argument("--size", choices=("base", "large"), default="base")
    flags.add_argument("--seq", type=int, default=128, help="tokens per sentence")
    flags.add_argument("--head", choices=("classification", "masked-lm"), default="classification")
    flags.add_argument("--input", choices=("pinned", "pageable"), default="pinned", help="host memory of the batches")
    return flags.parse_args()


def make_model(options):
    config = transformers.RobertaConfig(vocab_size=50265, max_position_embeddings=max(514, options.seq + 2),
                                        type_vocab_size=1, **_SIZES["tiny" if options.tiny else options.size])
    if options.head == "classification":
        return transformers.RobertaForSequenceClassification(config)
    return transformers.RobertaForMaskedLM(config)


def classification_batch(options, generator):
    tokens = torch.randint(_FIRST_WORD, _MASK, (options.batch, options.seq), generator=generator)
    markers = torch.randint(4, 6, (options.batch, options.seq // 4), generator=generator)
    tokens[:, 1:1 + options.seq // 4] = markers
    tokens[:, 0] = 0
    return {"input_ids": tokens, "labels": (markers.sum(1) * 2 > 9 * (options.seq // 4)).long()}


def masked_lm_batch(options, generator):
    start = torch.randint(0, 1000, (options.batch, 1), generator=generator)
    stride = torch.randint(1, 8, (options.batch, 1), generator=generator)
    words = _FIRST_WORD + (start + stride * torch.arange(options.seq)) % 1000
    masked = torch.rand(options.batch, options.seq, generator=generator) < 0.15
    return {"input_ids": words.masked_fill(masked, _MASK), "labels": words.masked_fill(~masked, -100)}


def batches(options):
    generator = torch.Generator().manual_seed(options.seed)
    make = classification_batch if options.head == "classification" else masked_lm_batch
    pin = options.input == "pinned" and options.device == "cuda"
    while True:
        batch = make(options, generator)
        if pin:
            batch = {name: tensor.pin_memory() for name, tensor in batch.items()}
        yield {name: tensor.to(options.device, non_blocking=pin) for name, tensor in batch.items()}


def main():
    options = parse()
    training_loop.prepare(options)
    model = make_model(options).to(options.device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5 if not options.tiny else 1e-3)
    training_loop.train(model, optimizer, batches(options), lambda m, batch: m(**batch).loss, options)


if __name__ == "__main__":
    main()
