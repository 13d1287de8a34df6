"""JAX with XLA on the CPU: times its calls. `calls.py` has the usage.

XLA uses its own pool of threads; one thread means that the process may use one processor.
"""

import os
import time

from calls import main, time_calls
from peer import CallTimes, Peer


def functions():
    import jax
    import jax.numpy as jnp

    def rms_norm(x, gamma):
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * gamma

    def layer_norm(x, gamma, beta):
        centred = x - x.mean(-1, keepdims=True)
        variance = (centred * centred).mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt(variance + 1e-5) * gamma + beta

    def masked_softmax(scores, mask):
        s = jnp.where(mask, scores, -jnp.inf)
        largest = s.max(-1, keepdims=True)
        e = jnp.exp(s - jnp.where(largest == -jnp.inf, 0.0, largest))
        total = e.sum(-1, keepdims=True)
        return e * jnp.where(total == 0, 0.0, 1 / total)

    def swiglu(a, b):
        return jax.nn.silu(a) * b

    def gelu_residual(x, r):
        return jax.nn.gelu(x, approximate=False) + r

    def rope(x, cos, sin):
        first, second = jnp.split(x, 2, -1)
        return jnp.concatenate((first * cos - second * sin, second * cos + first * sin), -1)

    return {function.__name__: function
            for function in [rms_norm, layer_norm, masked_softmax, swiglu, gelu_residual, rope]}


def inputs(case):
    import jax

    keys = jax.random.split(jax.random.key(1), 3)
    return [jax.random.bernoulli(key, 0.75, extents) if dtype == "bool"
            else 2 * jax.random.normal(key, extents)
            for key, (_, extents, dtype) in zip(keys, case.arguments()[:-1])]


class Xla(Peer):
    name = "xla"

    def time_calls(self, case, samples, sample_seconds):
        os.environ["JAX_PLATFORMS"] = "cpu"
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:case.threads])
        import jax

        compiled, arrays = jax.jit(functions()[case.family]), inputs(case)
        begin = time.perf_counter()
        compiled(*arrays).block_until_ready()
        first = time.perf_counter() - begin
        return CallTimes(first, time_calls(lambda: compiled(*arrays).block_until_ready(), samples,
                                           sample_seconds))


if __name__ == "__main__":
    main(Xla)
