# SPDX-License-Identifier: Apache-2.0
"""A differentiable reasoner: iterated attention over rules that tiny recurrent cells read symbol by symbol.

In the manner of the memory-attention networks of Cingillioglu and Russo, "DeepLogic: Towards End-to-End
Differentiable Logical Reasoning" (2018). Thousands of tiny kernels per step: the GPU waits for the host on purpose.

The task: a program of rules "h:-a,b." and facts "h."; does the query follow from it?
"""
import training_loop

import random

import torch
from torch import nn

_PREDICATES = 12
_SYMBOLS = ["<pad>", ":-", ",", "."] + ["p%d" % n for n in range(_PREDICATES)]
_RULE_LENGTH = 6  # h :- a , b .


class GatedCell(nn.Module):
    """A gated recurrent cell of separate small operations, as research code has them."""

    def __init__(self, width):
        super().__init__()
        self.gates = nn.Linear(2 * width, 2 * width)
        self.candidate = nn.Linear(2 * width, width)

    def forward(self, symbol, state):
        update, reset = torch.sigmoid(self.gates(torch.cat([symbol, state], -1))).chunk(2, -1)
        candidate = torch.tanh(self.candidate(torch.cat([symbol, reset * state], -1)))
        return update * state + (1 - update) * candidate


class Reasoner(nn.Module):
    """Reads query and rules, then attends to the rules again and again to update what is to be proved."""

    def __init__(self, width, iterations):
        super().__init__()
        self.iterations = iterations
        self.embedding = nn.Embedding(len(_SYMBOLS), width)
        self.reader = GatedCell(width)
        self.unifier = GatedCell(width)
        self.attention = nn.Sequential(nn.Linear(3 * width, width), nn.Tanh(), nn.Linear(width, 1))
        self.answer = nn.Linear(width, 1)

    def forward(self, rules, query):
        symbols = self.embedding(rules)                      # batch x rules x length x width
        state = self._read(self.reader, self.embedding(query), torch.zeros_like(symbols[:, 0, 0]))
        heads = self._read(self.reader, symbols, torch.zeros_like(symbols[:, :, 0]))
        for _ in range(self.iterations):
            goal = state.unsqueeze(1).expand_as(heads)
            weight = torch.softmax(self.attention(torch.cat([goal, heads, goal * heads], -1)), 1)
            proved = self._read(self.unifier, symbols, goal)
            state = (weight * proved).sum(1)
        return self.answer(state).squeeze(-1)

    @staticmethod
    def _read(cell, symbols, state):
        for symbol in symbols.unbind(-2):
            state = cell(symbol, state)
        return state


def make_program(rules, chance):
    """A random program, and a query that follows from it with probability of about one half."""
    program, bodies = [], []
    for _ in range(rules):
        head = chance.randrange(_PREDICATES)
        body = chance.sample(range(_PREDICATES), chance.choice((0, 1, 1, 2)))
        bodies.append((head, body))
        line = ["p%d" % head] + ([":-"] + ",".join("p%d" % each for each in body).replace(",", " , ").split()
                                 if body else []) + ["."]
        program.append([_SYMBOLS.index(each) for each in line] + [0] * (_RULE_LENGTH - len(line)))
    known = set()
    for _ in range(rules):
        known |= {head for head, body in bodies if known.issuperset(body)}
    others = [each for each in range(_PREDICATES) if each not in known]
    follows = bool(known) and (not others or chance.random() < 0.5)
    query = chance.choice(sorted(known) if follows else others)
    return program, [_SYMBOLS.index("p%d" % query), _SYMBOLS.index(".")], float(follows)


def batches(options):
    chance = random.Random(options.seed)
    while True:
        programs, queries, answers = zip(*(make_program(options.rules, chance) for _ in range(options.batch)))
        yield [torch.tensor(each, device=options.device) for each in (programs, queries, answers)]


def parse():
    flags = training_loop.parser(__doc__.splitlines()[0], batch=32, steps=100)
    flags.add_argument("--width", type=int, default=64)
    flags.add_argument("--rules", type=int, default=12, help="rules of a program")
    flags.add_argument("--iterations", type=int, default=12, help="rounds of attention")
    return flags.parse_args()


def main():
    options = parse()
    training_loop.prepare(options)
    if options.tiny:
        options.width, options.rules, options.iterations = 16, 6, 3
    model = Reasoner(options.width, options.iterations).to(options.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    training_loop.train(model, optimizer, batches(options),
                        lambda m, batch: nn.functional.binary_cross_entropy_with_logits(m(*batch[:2]), batch[2]),
                        options)


if __name__ == "__main__":
    main()
