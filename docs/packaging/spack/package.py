# SPDX-License-Identifier: MIT
# Spack recipe: put it in REPO/packages/tracemill/package.py, or
#   spack dev-build tracemill@=0.2.0
# from an unpacked source archive (make dist).

from spack.package import *


class Tracemill(MakefilePackage):
    """Offline analysis of AMD GPU profiler traces, from the shell."""

    license("MIT")

    version("0.2.0")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libcsv")
    depends_on("sqlite@3.37:")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("binutils+libiberty", type=("build", "link"))
    depends_on("protobuf-c")
    # Loaded when the first archive is met.
    depends_on("libarchive", type=("build", "link", "run"))

    def edit(self, spec, prefix):
        includes = ["-I" + self.spec[d].prefix.include for d in self.uses]
        includes.append("-I" + join_path(self.spec["binutils"].prefix.include, "libiberty"))
        libs = ["-L" + d for d in self.spec["libcsv"].libs.directories]
        for d in self.uses[1:]:
            libs += ["-L" + lib for lib in self.spec[d].libs.directories]
        libs += ["-Wl,-rpath," + d for d in self.spec["libarchive"].libs.directories]
        self.knobs = [
            "CC=" + spack_cc,
            "CFLAGS=-O3 -g " + " ".join(includes),
            "LDFLAGS=" + " ".join(libs),
            "PREFIX=" + prefix,
        ]

    uses = ["libcsv", "sqlite", "zlib-api", "zstd", "protobuf-c", "libarchive"]

    def build(self, spec, prefix):
        make(*self.knobs, "tools")

    def install(self, spec, prefix):
        make(*self.knobs, "install")

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def demo(self):
        Executable(join_path("tests", "demo.sh"))(self.prefix.bin)
