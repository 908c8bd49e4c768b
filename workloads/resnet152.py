# SPDX-License-Identifier: Apache-2.0
"""ResNet-152 of `timm`, trained from random weights on synthetic images from a DataLoader.

An image is noise with a bright square; its class is where the square is.
"""
import training_loop

import timm
import torch

_GRID = 4  # the square is in one of _GRID * _GRID places


class BrightSquares(torch.utils.data.Dataset):
    """Images made on demand from their index: the same on every worker and in every run."""

    def __init__(self, images, pixels, seed):
        self._images, self._pixels, self._seed = images, pixels, seed

    def __len__(self):
        return self._images

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(self._seed * 1000003 + index)
        image = torch.randn(3, self._pixels, self._pixels, generator=generator)
        place = int(torch.randint(0, _GRID * _GRID, (1,), generator=generator))
        side = self._pixels // _GRID
        row, column = place // _GRID * side, place % _GRID * side
        image[:, row:row + side, column:column + side] += 2.0
        return image, place


def parse():
    flags = training_loop.parser(__doc__.splitlines()[0], batch=32, steps=100)
    flags.add_argument("--workers", type=int, default=4, help="DataLoader workers")
    flags.add_argument("--pin-memory", action="store_true")
    flags.add_argument("--channels-last", action="store_true")
    flags.add_argument("--pixels", type=int, default=224, help="height and width of an image")
    return flags.parse_args()


def batches(options):
    images = BrightSquares(options.batch * options.accumulate * options.steps, options.pixels, options.seed)
    loader = torch.utils.data.DataLoader(images, batch_size=options.batch, num_workers=options.workers,
                                         pin_memory=options.pin_memory)
    for image, place in loader:
        image = image.to(options.device, non_blocking=options.pin_memory)
        if options.channels_last:
            image = image.to(memory_format=torch.channels_last)
        yield image, place.to(options.device, non_blocking=options.pin_memory)


def main():
    options = parse()
    training_loop.prepare(options)
    if options.tiny:
        options.pixels = min(options.pixels, 32)
    model = timm.create_model("resnet18" if options.tiny else "resnet152", num_classes=_GRID * _GRID)
    model = model.to(options.device)
    if options.channels_last:
        model = model.to(memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    training_loop.train(model, optimizer, batches(options),
                        lambda m, batch: torch.nn.functional.cross_entropy(m(batch[0]), batch[1]), options)


if __name__ == "__main__":
    main()
