"""Whether this machine's processor can execute llama.cpp as it is packaged.

A program that was compiled to instructions which a processor does not have is killed in the middle
of its import, without a word. So the system is asked before.
"""

from pathlib import Path
from typing import Final

CPU_FILE: Final = Path("/proc/cpuinfo")
"""What Linux says about the processors. Other systems have no such file, and are not asked."""


def lacks_avx2() -> bool:
    """Whether the system says that this is an x86 processor without AVX2."""
    try:
        lines = CPU_FILE.read_text("ascii", "replace").splitlines()
    except OSError:
        return False
    flags = next((line for line in lines if line.startswith("flags")), "")
    return bool(flags) and "avx2" not in flags.split()
