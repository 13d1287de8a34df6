"""PyTorch without compilation: one call into its library for each operator. `calls.py` has the usage."""

import time

from calls import main, time_calls
from peer import CallTimes, Peer


class Eager(Peer):
    name = "eager"

    def time_calls(self, case, samples, sample_seconds):
        import torch

        from families import FUNCTIONS, inputs

        torch.set_num_threads(case.threads)
        function, tensors = FUNCTIONS[case.family], inputs(case)
        with torch.no_grad():
            begin = time.perf_counter()
            function(*tensors)
            first = time.perf_counter() - begin
            return CallTimes(first, time_calls(lambda: function(*tensors), samples, sample_seconds))


if __name__ == "__main__":
    main(Eager)
