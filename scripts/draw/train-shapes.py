#!/usr/bin/python3
"""Trains the demo's shape classifier on shapes it draws itself, and writes manifests/models/shapes.onnx.

Needs Debian's python3-torch (CPU) and nothing else; takes a few minutes on one core. Every random number comes from
a fixed seed, so the same machine and the same torch give the same file again; another CPU may round differently.

usage: train-shapes.py [--output DIR] [--rounds N]
"""
import argparse
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import torch
from torch import nn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from shapes_render import LABELS, SIZE, render_batch

BATCH = 64


def network():
    """About 73 000 weights. Strides instead of pooling; the last two layers see the whole picture, which telling one
    outline from another takes when there is a pattern on it."""

    def block(inputs, outputs, stride):
        return [
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]

    return nn.Sequential(
        *block(3, 16, 2),
        *block(16, 24, 2),
        *block(24, 40, 2),
        *block(40, 56, 2),
        *block(56, 64, 1),
        nn.Flatten(),
        nn.Linear(64 * 16, len(LABELS)),
    )


def tensors(rng, count):
    images, labels = render_batch(rng, count)
    return torch.from_numpy(images.transpose(0, 3, 1, 2).copy()), torch.from_numpy(labels)


def train(model, rounds):
    """Draws new shapes in every round and learns from all drawings so far, mirrored and with the colours swapped at
    random: drawing costs more than learning, and no class depends on either."""
    rng = np.random.default_rng(1)
    steps, more = 60, 8 * BATCH
    images = torch.empty(rounds * more, 3, SIZE, SIZE, dtype=torch.uint8)
    labels = torch.empty(rounds * more, dtype=torch.int64)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 8e-3, total_steps=rounds * steps)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.03)
    started = time.time()
    model.train()
    for number in range(rounds):
        drawn, their = tensors(rng, more)
        end = (number + 1) * more
        images[end - more : end] = (drawn * 255).round()
        labels[end - more : end] = their
        for _ in range(steps):
            pick = torch.from_numpy(rng.integers(0, end, BATCH))
            batch = images[pick][:, torch.from_numpy(rng.permutation(3))] / 255
            if rng.random() < 0.5:
                batch = batch.flip(3)
            if rng.random() < 0.25:
                batch = batch.flip(2)
            loss = loss_of(model(batch), labels[pick])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        if number % 10 == 9:
            print(f"round {number + 1}/{rounds}  loss {loss.item():.3f}  {time.time() - started:.0f} s", flush=True)


def evaluate(model, rounds=12):
    """Accuracy on shapes drawn from another seed, by class; and what is taken for what."""
    model.eval()
    rng = np.random.default_rng(987654321)
    confusion = np.zeros((len(LABELS), len(LABELS)), int)
    with torch.no_grad():
        for _ in range(rounds):
            images, labels = tensors(rng, 4 * BATCH)
            found = model(images).argmax(1)
            for truth, answer in zip(labels.tolist(), found.tolist()):
                confusion[truth, answer] += 1
    accuracy = confusion.trace() / confusion.sum()
    print(f"held-out accuracy {accuracy:.4f} on {confusion.sum()} drawings")
    for index, label in enumerate(LABELS):
        row = confusion[index]
        wrong = ", ".join(f"{LABELS[j]} {row[j]}" for j in np.argsort(-row) if j != index and row[j])
        print(f"  {label:<12}{row[index] / max(row.sum(), 1):.3f}" + (f"  taken for {wrong}" if wrong else ""))
    return accuracy


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", default=os.path.join(here, "..", "..", "manifests", "models"))
    parser.add_argument("--rounds", type=int, default=56, help="rounds of 512 drawings (default 56)")
    options = parser.parse_args()

    torch.manual_seed(1)
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    model = network()
    print(f"{sum(p.numel() for p in model.parameters())} weights")
    train(model, options.rounds)
    accuracy = evaluate(model)

    os.makedirs(options.output, exist_ok=True)
    path = os.path.join(options.output, "shapes.onnx")
    torch.onnx.export(
        model, torch.zeros(1, 3, SIZE, SIZE), path, input_names=["image"], output_names=["logits"], opset_version=12
    )
    with open(os.path.join(options.output, "shapes.txt"), "w", encoding="utf-8") as labels:
        labels.write("\n".join(LABELS) + "\n")
    print(f"{os.path.normpath(path)}: {os.path.getsize(path)} bytes")
    return 0 if accuracy >= 0.98 else 1


if __name__ == "__main__":
    sys.exit(main())
