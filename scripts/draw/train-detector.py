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
from detector_scenes import drawn

# Of the input, pixels: a picture of 16:9 and the multiple of 32 above it.
WIDTH, HEIGHT = 320, 192
STRIDE = 8
LABELS = ["part"]
BATCH = 16


def block(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class Detector(nn.Module):
    """Without anchors (Tian et al., “FCOS”, 2019): in every cell of a grid the distances to a box's four sides and a score a
    class. Some 29 000 weights."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            block(3, 12, 2), block(12, 24, 2), block(24, 32, 2), block(32, 32), block(32, 32),
            nn.Conv2d(32, 4 + len(LABELS), 1))
        nn.init.normal_(self.layers[-1].weight, std=0.01)
        nn.init.constant_(self.layers[-1].bias[:4], 2.0)
        nn.init.constant_(self.layers[-1].bias[4:], -4.0)

    def forward(self, pictures):
        """[batch, 4 + classes, cells]: centre, size, scores."""
        y, x = torch.meshgrid(
            torch.arange(HEIGHT // STRIDE) + 0.5, torch.arange(WIDTH // STRIDE) + 0.5, indexing="ij")
        centres = torch.stack([x, y]).reshape(1, 2, -1) * STRIDE
        table = self.layers(pictures).flatten(2)
        sides = functional.softplus(table[:, :4]) * STRIDE
        first, last = centres - sides[:, :2], centres + sides[:, 2:]
        return torch.cat([(first + last) / 2, last - first, torch.sigmoid(table[:, 4:])], 1)


def cells():
    """[cells, 2]: the middle of every cell."""
    x, y = np.meshgrid(np.arange(WIDTH // STRIDE) + 0.5, np.arange(HEIGHT // STRIDE) + 0.5)
    return np.stack([x.ravel(), y.ravel()], 1) * STRIDE


CELLS = cells()


def targets(boxes):
    """What every cell has to say: its box, and 0 for the only class or −1 for none. A box is told by the cells around its
    middle; those beside them may say what they like (−2)."""
    box, label = np.zeros((len(CELLS), 4), np.float32), np.full(len(CELLS), -1, np.int64)
    for x0, y0, x1, y1 in boxes:
        x, y = CELLS.T
        near = np.maximum(np.abs(x - (x0 + x1) / 2), np.abs(y - (y0 + y1) / 2)) / STRIDE
        inside = (x > x0) & (x < x1) & (y > y0) & (y < y1)
        own = (near < 1.0) & inside
        label[(near < 1.8) & inside & (label == -1)] = -2
        label[own], box[own] = 0, (x0, y0, x1, y1)
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
    """Lin et al., “Focal loss”, 2017, and the boxes' generalised intersection over union."""
    said = said.transpose(1, 2)
    own = label >= 0
    general, _ = iou(said[own][:, :4], box[own])
    wanted = torch.zeros(*label.shape, len(LABELS))
    wanted[own, label[own]] = 1
    scores = said[..., 4:].clamp(1e-5, 1 - 1e-5)
    focal = functional.binary_cross_entropy(scores, wanted, reduction="none") * (scores.detach() - wanted).abs() ** 1.5
    focal = focal * (label != -2)[..., None]
    count = max(1, int(own.sum()))
    return focal.sum() / count + (1 - general).sum() / count


def augmented(rng, pictures, boxes):
    """Mirrored, and with the colours swapped, at random: nothing depends on either."""
    pictures = pictures[..., rng.permutation(3)]
    if rng.random() < 0.5:
        pictures = pictures[:, ::-1]
        boxes = [(WIDTH - x1, y0, WIDTH - x0, y1) for x0, y0, x1, y1 in boxes]
    if rng.random() < 0.5:
        pictures = pictures[::-1]
        boxes = [(x0, HEIGHT - y1, x1, HEIGHT - y0) for x0, y0, x1, y1 in boxes]
    return pictures, boxes


def train(model, pictures, boxes, rounds):
    rng = np.random.default_rng(1)
    steps = len(pictures) // BATCH
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 8e-3, total_steps=rounds * steps)
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
    """The lesser of recall and precision at a score of 0.5 and an intersection over union of 0.6, on scenes from other seeds."""
    model.eval()
    hits = said = wanted = 0
    with torch.no_grad():
        for start in range(0, len(pictures), BATCH):
            values = torch.from_numpy(pictures[start:start + BATCH].transpose(0, 3, 1, 2).astype(np.float32) / 255)
            for table, own in zip(model(values), boxes[start:start + BATCH]):
                wanted += len(own)
                left, kept = [torch.tensor([box]) for box in own], []
                for index in torch.argsort(table[4], descending=True).tolist():
                    if table[4, index] < 0.5:
                        break
                    box = table[None, :4, index]
                    if any(iou(box, other)[1].item() > 0.45 for other in kept):
                        continue
                    kept.append(torch.cat([box[:, :2] - box[:, 2:] / 2, box[:, :2] + box[:, 2:] / 2], 1))
                    said += 1
                    fit = max(left, key=lambda other: iou(box, other)[1].item(), default=None)
                    if fit is not None and iou(box, fit)[1].item() > 0.6:
                        left = [other for other in left if other is not fit]
                        hits += 1
    recall, precision = hits / max(wanted, 1), hits / max(said, 1)
    print(f"held-out recall {recall:.4f}, precision {precision:.4f} on {wanted} things")
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
    parser.add_argument("--scenes", type=int, default=20, help="scenes of 16 pictures to learn from (default 20)")
    parser.add_argument("--rounds", type=int, default=16, help="how often each is seen (default 16)")
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
        "task": "detect", "stride": "32", "imgsz": f"[{HEIGHT}, {WIDTH}]",
        "names": "{" + ", ".join(f"{index}: '{name}'" for index, name in enumerate(LABELS)) + "}",
        "license": "that of annotate-batch", "description": "Parts on belts, drawn by annotate-batch synth"})
    print(f"{os.path.normpath(path)}: {os.path.getsize(path)} bytes")
    return 0 if accuracy >= 0.93 else 1


if __name__ == "__main__":
    sys.exit(main())
