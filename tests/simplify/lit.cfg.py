import os

import lit.formats

config.name = "simplify"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["exec_root"]
config.environment["PATH"] = os.pathsep.join(
    [lit_config.params["bin_dir"], lit_config.params["llvm_bin_dir"], "/usr/bin", "/bin"])
