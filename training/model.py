"""The net during training: floats, with shared columns for related bits; written in the integer format of the product.

A rare bit (the ♠7 on a bulwark) occurs too seldom to be trained alone. So a row of the first layer is the sum of its
own weights and those of its number, suit and size; they are merged when the net is written.
"""

from __future__ import annotations

import math
from array import array
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from blackpoker.ai import features as f
from blackpoker.ai import net as n
from blackpoker.ai.net_file import write_net

CARDS = (f.HAND, f.GRAVE, f.LEAD, f.WALL, f.OPEN, f.TRUMPS, f.RARE, f.GRAVE_TOP, f.FOG_CARDS, f.LOCKED)
#: blocks of a side with bits that encode sizes, and their lengths
SIZES = (
    (f.LIFE, 42),
    (f.HAND_COUNT, 16),
    (f.SOLDIER, 26),
    (f.SOLDIER + 26, 26),
    (f.ATTACKS, 26),
    (f.BLOCKS, 26),
    (f.FRESH, 26),
    (f.READY_WALLS, 12),
    (f.DRIVEN_WALLS, 12),
    (f.SOLDIERS, 10),
    (f.POWER, 40),
    (f.READY, 40),
    (f.LARGEST, 26),
    (f.POWER_LEAD, 41),
    (f.THROUGH, 13),
    (f.HITS, 24),
    (f.PACK_COUNT, f.PACK_SIZES),
)
SIZES_OF_ALL = (
    (f.LIFE_LEAD, 41),
    (f.TURN_NUMBER, 24),
    (f.WORD, 9),
    (f.PAYING, 5),
    (f.STAGE_DEPTH, 6),
    (f.TOP_KEYS, 26),
    (f.TOP_TARGET, 26),
    (f.TOP_TARGET + 26, 26),
    (f.BLOCKED, 26),
    (f.BLOCKER_COUNT, 5),
)


def card_columns(at: int) -> list[list[tuple[int, float]]]:
    out = [[(at + suit * 13 + number, 1.0) for suit in range(4)] for number in range(13)]
    out += [[(at + suit * 13 + number, 1.0) for number in range(13)] for suit in range(4)]
    out.append([(at + card, (card % 13 + 1) / 10) for card in range(52)])
    out.append([(at + card, 1.0) for card in range(54)])
    out.append([(at + 52, 1.0), (at + 53, 1.0)])
    return out


def size_columns(at: int, size: int) -> list[list[tuple[int, float]]]:
    return [
        [(at + i, i / size * 2) for i in range(size)],
        [(at + i, math.log(i + 1) / 2) for i in range(size)],
        [(at + i, 1 / (i + 1)) for i in range(size)],
    ]


def shared() -> np.ndarray:
    """Return the shared features of bits, one column each."""
    columns: list[list[tuple[int, float]]] = []
    for side in (0, f.SIDE):
        for at in CARDS:
            columns += card_columns(side + at)
        for at, size in SIZES:
            columns += size_columns(side + at, size)
    for at, size in SIZES_OF_ALL:
        columns += size_columns(at, size)
    for at in (f.DRAFT_KEYS, f.DISCARDS, f.PICKED):
        columns += card_columns(at)
    # an action has a common part for every position and either player
    columns += [[(f.STAGE + i, 1.0), (f.TOP + i, 1.0), (f.ACTIVE + i, 1.0)] for i in range(2 * f.ACTIONS)]
    out = np.zeros((f.BITS + 1, len(columns)), np.float32)
    for k, column in enumerate(columns):
        for bit, x in column:
            out[bit, k] = x
    return out


class Learner(nn.Module):
    """The net in floats; ``f.BITS`` is the padding bit."""

    common: Tensor

    def __init__(self, drop: float = 0.1) -> None:
        super().__init__()
        common = shared()
        self.register_buffer("common", torch.from_numpy(common), persistent=False)
        self.drop = drop
        self.own = nn.Parameter(torch.randn(f.BITS + 1, n.UNITS) * 0.01)
        self.columns = nn.Parameter(torch.randn(common.shape[1], n.UNITS) * 0.02)
        self.bias = nn.Parameter(torch.full((n.UNITS,), 0.1))
        self.second = nn.Linear(n.UNITS, n.INNER)
        self.third = nn.Linear(n.INNER, 1)
        self.question = nn.Linear(n.UNITS, n.QUERY_SIZE)
        self.option = nn.Parameter(torch.randn(f.ROWS, n.QUERY_SIZE) * 0.1)
        self.option_bias = nn.Parameter(torch.zeros(f.ROWS))
        self.shown = nn.Parameter(torch.randn(f.LEAD_ROWS, n.QUERY_SIZE) * 0.03)
        self.thumb = nn.Parameter(torch.ones(f.DECISIONS))

    def rows(self) -> Tensor:
        return self.own + self.common @ self.columns

    def body(self, bits: Tensor) -> Tensor:
        bits = bits.long()
        if self.training and self.drop:
            bits = bits.masked_fill(torch.rand(bits.shape, device=bits.device) < self.drop, f.BITS)
        rows = self.rows()
        if bits.is_cuda:  # as a matrix product: accumulating gradients of rows would take ten times as long
            on = torch.zeros(len(bits), f.BITS + 1, device=bits.device)
            on.scatter_add_(1, bits, torch.ones_like(bits, dtype=on.dtype))
            on[:, f.BITS] = 0
            sums = on @ rows
        else:
            sums = F.embedding_bag(bits, rows, mode="sum", padding_idx=f.BITS)
        return (sums + self.bias).clamp(0, n.MOST_SUM / 256)

    def value(self, active: Tensor) -> Tensor:
        return self.third(F.relu(self.second(active))).squeeze(-1)

    def policy(self, active: Tensor, part: dict[str, Tensor]) -> Tensor:
        question = self.question(active)
        rows, shown = part["rows"].long(), part["shown"].long()
        # products with every row, of which the wanted are taken: gradients of single rows take five times as long
        logits = (question @ self.option.T + self.option_bias).gather(1, rows)
        logits = logits + (question @ self.shown.T).gather(1, shown)
        thumb = F.one_hot(part["kind"].long(), f.DECISIONS).to(logits.dtype) @ self.thumb
        logits = logits - thumb[:, None] * part["scores"].float() / 30
        nothing = torch.arange(rows.shape[1], device=rows.device)[None, :] >= part["options"].long()[:, None]
        return logits.masked_fill(nothing, -1e9)

    def weights(self) -> array[int]:
        """Return the weights as the product reads them: 256 is one."""

        def whole(t: Tensor, most: int, scale: float = 256.0) -> np.ndarray:
            floats: np.ndarray = t.detach().float().cpu().numpy()
            return np.clip(np.rint(floats * scale), -most, most).astype(np.int64)

        def pairs(layer: nn.Linear) -> np.ndarray:
            w = whole(layer.weight, n.MOST_WEIGHT)  # out, units
            heaviest = n.MOST_SUM * np.abs(w).sum(1) + 256 * np.abs(whole(layer.bias, 32767))
            assert heaviest.max() < 2**31, "a sum would leave 32 bits"
            return w.reshape(w.shape[0], -1, 2).transpose(1, 0, 2).reshape(-1)

        parts = (
            whole(self.rows()[: f.BITS], 32767),
            whole(self.bias, 32767),
            pairs(self.second),
            whole(self.second.bias, 32767),
            whole(self.third.weight, 32767),
            whole(self.third.bias, 32767),
            pairs(self.question),
            whole(self.question.bias, 32767),
            whole(self.option, n.MOST_WEIGHT),
            whole(self.option_bias, 32767),
            whole(self.shown, n.MOST_WEIGHT),
            whole(self.thumb, 32767, 65536 / 30),
        )
        return array("h", np.concatenate([part.reshape(-1) for part in parts]).astype(np.int16).tobytes())

    def write(self, path: Path, edition: str) -> str:
        return write_net(path, self.weights(), edition)

    def start_from(self, net: n.Net) -> None:
        """Take the weights of a written net. Rows are split into shared columns and a rest by least squares."""
        numbers = torch.tensor(net.weights.tolist(), dtype=torch.float32) / 256
        device, place = self.own.device, 0

        def take(*shape: int) -> Tensor:
            nonlocal place
            size = math.prod(shape)
            place += size
            return numbers[place - size : place].reshape(shape).to(device)

        def layer(into: nn.Linear, outputs: int) -> None:
            weights = take(n.UNITS // 2, outputs, 2).permute(1, 0, 2).reshape(outputs, n.UNITS)
            into.weight.copy_(weights)
            into.bias.copy_(take(outputs))

        with torch.no_grad():
            rows, common = take(f.BITS, n.UNITS), self.common[: f.BITS]
            ridge = torch.eye(common.shape[1], device=device)
            columns = torch.linalg.solve(common.T @ common + ridge, common.T @ rows)
            self.columns.copy_(columns)
            self.own[: f.BITS].copy_(rows - common @ columns)
            self.bias.copy_(take(n.UNITS))
            layer(self.second, n.INNER)
            self.third.weight.copy_(take(1, n.INNER))
            self.third.bias.copy_(take(1))
            layer(self.question, n.QUERY_SIZE)
            self.option.copy_(take(f.ROWS, n.QUERY_SIZE))
            self.option_bias.copy_(take(f.ROWS))
            self.shown.copy_(take(f.LEAD_ROWS, n.QUERY_SIZE))
            self.thumb.copy_(take(f.DECISIONS) * 256 * 30 / 65536)
