"""A language model that fits into a test: real weights of the llama architecture in a real GGUF
file, random and a few hundred kilobytes, with a tokenizer of single bytes. It talks nonsense, by
the same rules as a large one."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

WIDTH = 32
HEADS = 2
LAYERS = 2
HIDDEN = 64
CONTEXT = 32_768
RANK = 4
TEMPLATE = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content']"
    " + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def byte_tokens() -> list[str]:
    """The 256 bytes as the tokenizers of GPT-2 and its kin write them."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    shifted = iter(range(256, 512))
    return [chr(byte if byte in plain else next(shifted)) for byte in range(256)]


TOKENS = [*byte_tokens(), "<|endoftext|>", "<|im_start|>", "<|im_end|>", "he"]


def write_model(path: Path, *, architecture: str = "llama", seed: int = 1) -> Path:
    """Write a model; one of an architecture that nobody knows is no use to anyone."""
    random = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(HIDDEN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(TOKENS)
    special = range(256, 259)
    writer.add_token_types(
        [
            gguf.TokenType.CONTROL if each in special else gguf.TokenType.NORMAL
            for each in range(len(TOKENS))
        ]
    )
    writer.add_token_merges(["h e"])
    writer.add_bos_token_id(257)
    writer.add_eos_token_id(258)
    writer.add_chat_template(TEMPLATE)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, random.normal(0, 0.3, shape).astype(np.float32))

    add("token_embd.weight", len(TOKENS), WIDTH)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    for layer in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{norm}.weight", np.ones(WIDTH, np.float32))
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}.weight", WIDTH, WIDTH)
        for name in ("ffn_gate", "ffn_up"):
            add(f"blk.{layer}.{name}.weight", HIDDEN, WIDTH)
        add(f"blk.{layer}.ffn_down.weight", WIDTH, HIDDEN)
    _finish(writer)
    return path


def write_adapter(
    path: Path, *, architecture: str = "llama", width: int = WIDTH, seed: int = 2
) -> Path:
    """Write a LoRA adapter of the attention; one of another width is for another model."""
    random = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, 2.0 * RANK)
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_v"):
            tensor = f"blk.{layer}.{name}.weight"
            writer.add_tensor(
                f"{tensor}.lora_a", random.normal(0, 1, (RANK, width)).astype(np.float32)
            )
            writer.add_tensor(
                f"{tensor}.lora_b", random.normal(0, 1, (width, RANK)).astype(np.float32)
            )
    _finish(writer)
    return path


def _finish(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
