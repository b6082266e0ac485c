#!/usr/bin/env python3
"""Trains the example's detector on scenes that `annotate-batch synth` draws, and writes manifests/models/parts.onnx.

Needs a built program, ffmpeg and PyTorch (CPU; Debian's python3-torch will do); some minutes on one core. Every random number
comes from a fixed seed, so the same machine and the same torch give the same file again; another CPU may round differently.

usage: train-detector.py [--program FILE] [--output DIR] [--scenes N] [--rounds N]
"""
import argparse
import os
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import torch
from torch import nn
from torch.nn import functional

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from detector_scenes import LABELS, drawn

# Of the input, pixels: a picture of 16:9 and the multiple of 32 above it.
WIDTH, HEIGHT = 320, 192
STRIDES = (8, 16)
BATCH = 16


def block(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Detector(nn.Module):
    """Without anchors (Tian et al., “FCOS”, 2019): in every cell of two grids the distances to a box's four sides and a score
    a class. Some 190 000 weights."""

    def __init__(self):
        super().__init__()
        self.fine = nn.Sequential(block(3, 16, 2), block(16, 24, 2), block(24, 48, 2), block(48, 48))
        self.coarse = nn.Sequential(block(48, 64, 2), block(64, 64), block(64, 64))
        self.down = nn.Conv2d(64, 48, 1)
        self.heads = nn.ModuleList(
            nn.Sequential(block(width, 48), nn.Conv2d(48, 4 + len(LABELS), 1)) for width in (48, 64))
        for head in self.heads:
            nn.init.normal_(head[-1].weight, std=0.01)
            nn.init.constant_(head[-1].bias[:4], 1.0)
            nn.init.constant_(head[-1].bias[4:], -4.0)

    def forward(self, pictures):
        """[batch, 4 + classes, cells]: centre, size, scores."""
        fine = self.fine(pictures)
        coarse = self.coarse(fine)
        fine = fine + functional.interpolate(self.down(coarse), scale_factor=2.0, mode="nearest")
        tables = []
        for head, values, stride in zip(self.heads, (fine, coarse), STRIDES):
            rows, columns = HEIGHT // stride, WIDTH // stride
            y, x = torch.meshgrid(torch.arange(rows) + 0.5, torch.arange(columns) + 0.5, indexing="ij")
            centres = torch.stack([x, y]).reshape(1, 2, -1) * stride
            table = head(values).flatten(2)
            sides = functional.softplus(table[:, :4]) * stride
            first, last = centres - sides[:, :2], centres + sides[:, 2:]
            tables.append(torch.cat([(first + last) / 2, last - first, torch.sigmoid(table[:, 4:])], 1))
        return torch.cat(tables, 2)


def cells():
    """[cells, 3]: the middle and the stride of every cell."""
    return np.concatenate([
        np.stack([*(grid.ravel() * stride for grid in np.meshgrid(
            np.arange(WIDTH // stride) + 0.5, np.arange(HEIGHT // stride) + 0.5)),
            np.full(WIDTH * HEIGHT // stride ** 2, stride)], 1) for stride in STRIDES])


CELLS = cells()


def targets(boxes):
    """What every cell has to say: its box, and the class's number or −1 for none. A box is told by the cells around its
    middle, of the grid that suits its size; those beside them may say what they like (−2)."""
    box, label = np.zeros((len(CELLS), 4), np.float32), np.full(len(CELLS), -1, np.int64)
    for index, *corners in sorted(boxes, key=lambda b: -(b[3] - b[1]) * (b[4] - b[2])):
        x0, y0, x1, y1 = corners
        side = max(x1 - x0, y1 - y0)
        x, y, stride = CELLS.T
        near = np.maximum(np.abs(x - (x0 + x1) / 2), np.abs(y - (y0 + y1) / 2)) / stride
        inside = (x > x0) & (x < x1) & (y > y0) & (y < y1)
        suits = (stride == 8) & (side < 64) | (stride == 16) & (side > 44)
        own = suits & (near < 1.0) & inside
        label[(near < 1.8) & inside & (label == -1)] = -2
        label[own], box[own] = index, corners
    return box, label


def iou(a, b):
    """Generalised and plain intersection over union of boxes as centre and size against corners, [n, 4]."""
    first, last = a[:, :2] - a[:, 2:] / 2, a[:, :2] + a[:, 2:] / 2
    common = (torch.minimum(last, b[:, 2:]) - torch.maximum(first, b[:, :2])).clamp(min=0).prod(1)
    union = a[:, 2:].prod(1) + (b[:, 2:] - b[:, :2]).prod(1) - common
    around = (torch.maximum(last, b[:, 2:]) - torch.minimum(first, b[:, :2])).prod(1)
    plain = common / union
    return plain - (around - union) / around, plain


def loss_of(said, box, label):
    """Li et al., “Generalized Focal Loss”, 2020: a score is to say how well its box lies."""
    said = said.transpose(1, 2)
    own = label >= 0
    general, plain = iou(said[own][:, :4], box[own])
    wanted = torch.zeros(*label.shape, len(LABELS))
    wanted[own, label[own]] = plain.detach().clamp(min=0)
    scores = said[..., 4:].clamp(1e-5, 1 - 1e-5)
    focal = functional.binary_cross_entropy(scores, wanted, reduction="none") * (scores.detach() - wanted).abs() ** 2
    focal = focal * (label != -2)[..., None]
    count = max(1, int(own.sum()))
    return focal.sum() / count + 1.5 * (1 - general).sum() / count


def augmented(rng, pictures, boxes):
    """Mirrored, and with the colours swapped, at random: no class depends on either."""
    pictures = pictures[..., rng.permutation(3)]
    if rng.random() < 0.5:
        pictures = pictures[:, ::-1]
        boxes = [(label, WIDTH - x1, y0, WIDTH - x0, y1) for label, x0, y0, x1, y1 in boxes]
    return pictures, boxes


def train(model, pictures, boxes, rounds):
    rng = np.random.default_rng(1)
    steps = len(pictures) // BATCH
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=rounds * steps)
    started = time.time()
    for number in range(rounds):
        model.train()
        order, total = rng.permutation(len(pictures)), 0.0
        for step in range(steps):
            chosen = [augmented(rng, pictures[k], boxes[k]) for k in order[step * BATCH:(step + 1) * BATCH]]
            values = np.stack([picture for picture, _ in chosen]).transpose(0, 3, 1, 2)
            wanted = [targets(own) for _, own in chosen]
            loss = loss_of(
                model(torch.from_numpy(values.astype(np.float32) / 255)),
                torch.from_numpy(np.stack([box for box, _ in wanted])),
                torch.from_numpy(np.stack([label for _, label in wanted])))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"round {number + 1}/{rounds}  loss {total / steps:.3f}  {time.time() - started:.0f} s", flush=True)


def evaluate(model, pictures, boxes):
    """Recall and precision at a score of 0.5 and an intersection over union of 0.6, by class, on scenes from other seeds."""
    model.eval()
    hits, said, wanted = (np.zeros(len(LABELS), int) for _ in range(3))
    with torch.no_grad():
        for start in range(0, len(pictures), BATCH):
            values = torch.from_numpy(pictures[start:start + BATCH].transpose(0, 3, 1, 2).astype(np.float32) / 255)
            for table, own in zip(model(values), boxes[start:start + BATCH]):
                scores, labels = table[4:].max(0)
                left = list(own)
                for label in range(len(LABELS)):
                    wanted[label] += sum(one[0] == label for one in own)
                kept = []
                for index in torch.argsort(scores, descending=True).tolist():
                    if scores[index] < 0.5:
                        break
                    box, label = table[None, :4, index], int(labels[index])
                    corners = torch.cat([box[:, :2] - box[:, 2:] / 2, box[:, :2] + box[:, 2:] / 2], 1)
                    if any(l == label and iou(box, c)[1].item() > 0.45 for l, c in kept):
                        continue
                    kept.append((label, corners))
                    said[label] += 1
                    fits = [one for one in left if one[0] == label and iou(box, torch.tensor([one[1:]]))[1].item() > 0.6]
                    if fits:
                        left.remove(fits[0])
                        hits[label] += 1
    for label, name in enumerate(LABELS):
        print(f"  {name:<10}recall {hits[label] / max(wanted[label], 1):.3f}  precision {hits[label] / max(said[label], 1):.3f}")
    recall, precision = hits.sum() / wanted.sum(), hits.sum() / max(said.sum(), 1)
    print(f"held-out recall {recall:.4f}, precision {precision:.4f} on {wanted.sum()} things")
    return min(recall, precision)


def with_metadata(path, values):
    """Adds ONNX's metadata_props (ModelProto, field 14): messages behind the others count as well."""

    def field(number, contents):
        length = len(contents)
        size = bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])
        return bytes([number << 3 | 2]) + size + contents

    with open(path, "ab") as file:
        for key, value in values.items():
            file.write(field(14, field(1, key.encode()) + field(2, value.encode())))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", ".build", "release", "annotate-batch"))
    parser.add_argument("--output", default=os.path.join(HERE, "..", "..", "manifests", "models"))
    parser.add_argument("--scenes", type=int, default=200, help="scenes of 8 pictures to learn from (default 200)")
    parser.add_argument("--rounds", type=int, default=12, help="how often each is seen (default 12)")
    options = parser.parse_args()

    torch.manual_seed(1)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    held = max(1, options.scenes // 10)
    with tempfile.TemporaryDirectory() as folder:
        made = [drawn(options.program, folder, seed, (WIDTH, HEIGHT)) for seed in range(options.scenes + held)]
    pictures = np.concatenate([pictures for pictures, _ in made])
    boxes = [own for _, several in made for own in several]
    count = len(pictures) - held * len(made[0][0])
    print(f"{count} pictures to learn from, {sum(map(len, boxes[:count]))} things in them", flush=True)

    model = Detector()
    print(f"{sum(p.numel() for p in model.parameters())} weights")
    train(model, pictures[:count], boxes[:count], options.rounds)
    accuracy = evaluate(model, pictures[count:], boxes[count:])

    os.makedirs(options.output, exist_ok=True)
    path = os.path.join(options.output, "parts.onnx")
    older = {"dynamo": False} if "dynamo" in torch.onnx.export.__code__.co_varnames else {}
    torch.onnx.export(
        model, torch.zeros(1, 3, HEIGHT, WIDTH), path, input_names=["images"], output_names=["output0"], opset_version=12,
        **older)
    with_metadata(path, {
        "task": "detect", "stride": str(max(STRIDES)), "imgsz": f"[{HEIGHT}, {WIDTH}]",
        "names": "{" + ", ".join(f"{index}: '{name}'" for index, name in enumerate(LABELS)) + "}",
        "license": "that of annotate-batch", "description": "Flat shapes, drawn by annotate-batch synth"})
    print(f"{os.path.normpath(path)}: {os.path.getsize(path)} bytes")
    return 0 if accuracy >= 0.93 else 1


if __name__ == "__main__":
    sys.exit(main())
