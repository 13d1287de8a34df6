"""The measured families in plain PyTorch, as a user would write them. Nothing here helps a compiler."""

import math

import torch


def rms_norm(x, gamma):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * gamma


def layer_norm(x, gamma, beta):
    return torch.nn.functional.layer_norm(x, (x.shape[-1],), gamma, beta, 1e-5)


def masked_softmax(scores, mask):
    s = torch.where(mask, scores, -math.inf)
    largest = s.amax(-1, keepdim=True)
    e = torch.exp(s - torch.where(largest == -math.inf, 0.0, largest))
    total = e.sum(-1, keepdim=True)
    return e * torch.where(total == 0, 0.0, 1 / total)


def swiglu(a, b):
    return torch.nn.functional.silu(a) * b


def gelu_residual(x, r):
    return torch.nn.functional.gelu(x) + r


def rope(x, cos, sin):
    first, second = x.chunk(2, -1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), -1)


FUNCTIONS = {function.__name__: function
             for function in [rms_norm, layer_norm, masked_softmax, swiglu, gelu_residual, rope]}


def inputs(case):
    """Random tensors for a case, in the order of the function's parameters."""
    torch.manual_seed(1)
    return [torch.rand(extents) < 0.75 if dtype == "bool" else 2 * torch.randn(extents)
            for _, extents, dtype in case.arguments()[:-1]]
