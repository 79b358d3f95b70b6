"""The child: llama.cpp's own server around one model. Only this module imports the runtime.

    standard input     one line: the Task; then nothing, until the parent lets go of it
    standard output    one line once the model is loaded: where the server answers
    standard error     what llama.cpp says; the parent reads the cause of a failure from it

The key comes over standard input: arguments are readable by every user of the machine. The server
keeps the interpreter to itself while it loads, so this process cannot look after its parent then;
the kernel does (`thorp.children.lifetime`).
"""

import os
import sys
from typing import Any, Final

import msgspec

from thorp.models.embedded.processor import lacks_avx2

NO_AVX2: Final = "this processor has no AVX2"
NO_RUNTIME: Final = "no runtime"
# Warnings and errors. At the next level every request writes several lines.
VERBOSITY: Final = 2
NO_ORIGIN: Final = "https://nobody.invalid"
"""The origin that may read answers: one that no page has. `null` would be the origin of every page
in a sandboxed frame."""
# A request holds one while it is computed; the others answer questions about the server's state.
SPARE_HTTP_THREADS: Final = 4


class ServerTask(msgspec.Struct, frozen=True):
    """What the child is to serve, and how."""

    model: str
    name: str
    key: str
    adapter: str | None
    adapter_scale: float
    context_tokens: int
    slots: int
    threads: int
    niceness: int
    port: int


class Served(msgspec.Struct, frozen=True):
    """Where the server answers."""

    url: str


def main() -> None:
    """Load the model, say where it answers, and serve until standard input ends."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=ServerTask)
    answer = os.dup(1)
    os.dup2(2, 1)  # what the runtime prints is no answer of ours
    os.nice(task.niceness)
    if lacks_avx2():
        sys.exit(NO_AVX2)
    try:
        import xllamacpp
    except ImportError as problem:
        sys.exit(f"{NO_RUNTIME}: {problem}")
    server = xllamacpp.Server(parameters(xllamacpp, task))
    os.write(answer, msgspec.json.encode(Served(server.listening_address)) + b"\n")
    os.close(answer)
    sys.stdin.buffer.read()
    os._exit(0)  # there is nothing to save, and a request that is being computed may take long


def parameters(runtime: Any, task: ServerTask) -> Any:
    """The server's parameters, as llama.cpp names them."""
    chosen = runtime.CommonParams()
    chosen.model.path = task.model
    chosen.model_alias = {task.name}
    chosen.hostnames = ["127.0.0.1"]
    chosen.port = task.port
    chosen.api_keys = [task.key]
    # By itself it lets pages of any origin ask. A page does not know the key; it need not ask.
    chosen.cors_origins = NO_ORIGIN
    chosen.cors_origins_explicit = True
    chosen.ui = False
    chosen.endpoint_slots = False
    chosen.offline = True
    chosen.verbosity = VERBOSITY
    chosen.n_threads_http = task.slots + SPARE_HTTP_THREADS
    chosen.n_parallel = task.slots
    chosen.n_ctx = task.context_tokens * task.slots
    chosen.n_gpu_layers = 0
    # It would choose a context by the memory that happens to be free.
    chosen.fit_params = False
    # Old prompts, kept in up to 8 GiB: the one of each slot is enough.
    chosen.cache_ram_mib = 0
    for threads in (chosen.cpuparams, chosen.cpuparams_batch):
        threads.n_threads = task.threads
    if task.adapter is not None:
        adapter = runtime.CommonAdapterLoraInfo()
        adapter.path = task.adapter
        adapter.scale = task.adapter_scale
        chosen.lora_adapters = [adapter]
    return chosen


if __name__ == "__main__":
    main()
