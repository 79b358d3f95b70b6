"""A tiny random model of the same architecture, so that the whole chain can be tried in seconds."""

import sys
from pathlib import Path
from typing import Final

import numpy as np
from gguf import GGUFWriter

WIDTH: Final = 32
HEADS: Final = 4
KEY_HEADS: Final = 2
INNER: Final = 64
LAYERS: Final = 2
CONTEXT: Final = 2_048


def byte_names() -> list[str]:
    """How byte-level tokenizers write each byte as a printable character."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    shifted = iter(range(256, 512))
    return [chr(byte) if byte in plain else chr(next(shifted)) for byte in range(256)]


def write(path: Path, seed: int = 0) -> None:
    """Write a model of random weights."""
    random = np.random.default_rng(seed)
    writer = GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(100_000.0)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    tokens = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *byte_names(), "Ġa"]
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, 3, *[1] * (len(tokens) - 3)])
    writer.add_token_merges(["Ġ a"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_chat_template(
        "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n'"
        " + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
    )

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, (random.standard_normal(shape) * 0.3).astype(np.float32))

    key = WIDTH // HEADS * KEY_HEADS
    add("token_embd.weight", len(tokens), WIDTH)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    for number in range(LAYERS):
        stem = f"blk.{number}"
        writer.add_tensor(f"{stem}.attn_norm.weight", np.ones(WIDTH, np.float32))
        writer.add_tensor(f"{stem}.ffn_norm.weight", np.ones(WIDTH, np.float32))
        add(f"{stem}.attn_q.weight", WIDTH, WIDTH)
        add(f"{stem}.attn_k.weight", key, WIDTH)
        add(f"{stem}.attn_v.weight", key, WIDTH)
        add(f"{stem}.attn_output.weight", WIDTH, WIDTH)
        add(f"{stem}.ffn_gate.weight", INNER, WIDTH)
        add(f"{stem}.ffn_up.weight", INNER, WIDTH)
        add(f"{stem}.ffn_down.weight", WIDTH, INNER)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
