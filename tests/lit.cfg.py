"""The lit suite: IR in, IR out. Tests are the .mlir and .tile files under this folder."""

import os

import lit.formats

config.name = "tilewright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".tile"]
config.excludes = ["corpus"]  # kernels that the fuzzer reads
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["exec_root"]
config.environment["PATH"] = os.pathsep.join(
    [lit_config.params["bin_dir"], lit_config.params["llvm_bin_dir"], os.environ["PATH"]]
)
config.substitutions.append(("%python", lit_config.params["python"]))
