"""The base model in PyTorch: its weights as the GGUF holds them, its tokenizer, and adapters on it.

The weights are those that llama.cpp runs, dequantised, so an adapter learns to correct the model
that is shipped, not the one that it was quantised from.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from gguf import GGUFReader, GGUFWriter, dequantize
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor, nn
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

from thorp.mind import LETTERS, RULES

RANK: Final = 16
ALPHA_OF_RANK: Final = 2
ALPHA: Final = ALPHA_OF_RANK * RANK
ADAPTED: Final = (
    "self_attn.q_proj",
    "self_attn.k_proj",
    "self_attn.v_proj",
    "self_attn.o_proj",
    "mlp.gate_proj",
    "mlp.up_proj",
    "mlp.down_proj",
)
# The name of each adapted layer in a GGUF.
IN_GGUF: Final = dict(
    zip(
        ADAPTED,
        ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"),
        strict=True,
    )
)
SPECIAL: Final = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")


def chat(prompt: str) -> str:
    """A prompt as the model's chat template writes it, up to the answer."""
    return (
        f"<|im_start|>system\n{RULES}<|im_end|>\n<|im_start|>user\n{prompt}<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


class Adapted(nn.Module):
    """A linear layer with an adapter beside it: W x + (α / r) B A x. The layer may have an adapter
    already; then that one stays as it is, and this one learns what is lacking."""

    def __init__(self, base: "nn.Linear | Adapted", rank: int = RANK, alpha: int = ALPHA) -> None:
        super().__init__()
        self.base = base
        self.scale = alpha / rank
        place = {"device": base.weight.device, "dtype": torch.float32}
        leaving, entering = base.weight.shape
        self.a = nn.Parameter(torch.empty(rank, entering, **place))
        self.b = nn.Parameter(torch.zeros(leaving, rank, **place))
        nn.init.kaiming_uniform_(self.a, a=5**0.5)
        self._whole: Tensor | None = None

    @property
    def dtype(self) -> torch.dtype:
        """What it computes in."""
        return self.base.dtype if isinstance(self.base, Adapted) else self.base.weight.dtype

    @property
    def weight(self) -> Tensor:
        """The layer's weights and the adapter's, added up in 32 bits."""
        return self.base.weight.float() + self.scale * self.b @ self.a

    @property
    def bias(self) -> Tensor | None:
        """The layer's; adapters have none."""
        return self.base.bias

    @torch.no_grad()
    def fold(self) -> None:
        """Add the adapter up with the layer, for what is computed without a gradient from now on."""
        self._whole = self.weight.to(self.dtype)

    def forward(self, given: Tensor) -> Tensor:
        """The layer's output."""
        if self._whole is not None and not torch.is_grad_enabled():
            return nn.functional.linear(given, self._whole, self.base.bias)
        low = nn.functional.linear(given, self.a.to(given.dtype))
        return self.base(given) + self.scale * nn.functional.linear(low, self.b.to(given.dtype))


class LanguageModel:
    """A causal language model from a GGUF of the llama architecture, with adapters or without."""

    def __init__(self, path: Path, device: str, *, dtype: torch.dtype = torch.bfloat16) -> None:
        """Read a base model. `dtype` is what a GPU computes in: bfloat16 is safe to learn in,
        float16 has three more digits in which options that are nearly as likely differ."""
        reader = GGUFReader(path)
        self.device = device
        self.tokenizer = _tokenizer(reader)
        self.config = _config(reader)
        dtype = dtype if device == "cuda" else torch.float32
        with torch.device("meta"):
            model = LlamaForCausalLM(self.config)
        model.load_state_dict(_weights(reader, self.config), assign=True, strict=False)
        # What a GGUF does not hold is made anew: the angles of the rotations.
        model.model.rotary_emb = type(model.model.rotary_emb)(config=self.config)
        if self.config.tie_word_embeddings:
            model.lm_head.weight = model.model.embed_tokens.weight
        self.model = model.to(device=device, dtype=dtype)
        # The angles need all their digits.
        self.model.model.rotary_emb = type(model.model.rotary_emb)(config=self.config).to(device)
        self.model.requires_grad_(False)
        for name, layer in list(self._adapted_layers(nn.Linear)):
            parent = self.model.get_submodule(name.rpartition(".")[0])
            setattr(parent, name.rpartition(".")[2], Adapted(layer))
        self.letters = torch.tensor(
            [self.tokenizer.encode(letter).ids[0] for letter in LETTERS], device=device
        )

    @property
    def alpha(self) -> float:
        """What the adapters' products are multiplied by, times their rank."""
        _, layer = next(self._adapted_layers(Adapted))
        return float(layer.scale * len(layer.a))

    def parameters(self) -> list[nn.Parameter]:
        """What is trained."""
        return [each for each in self.model.parameters() if each.requires_grad]

    def state(self) -> dict[str, Tensor]:
        """The adapters' weights, by layer."""
        return {
            f"{name}.{part}": getattr(layer, part).detach().cpu()
            for name, layer in self._adapted_layers(Adapted)
            for part in ("a", "b")
        }

    def load(self, state: dict[str, Tensor]) -> None:
        """Take over the adapters' weights."""
        for name, layer in self._adapted_layers(Adapted):
            for part in ("a", "b"):
                getattr(layer, part).data.copy_(state[f"{name}.{part}"])

    def load_adapter(self, path: Path) -> None:
        """Take over the weights of an adapter that `write_adapter` has written."""
        found = {
            tensor.name: np.array(tensor.data, np.float32) for tensor in GGUFReader(path).tensors
        }
        for name, layer in self._adapted_layers(Adapted):
            a = found[f"{_stem(name)}.lora_a"]
            b = found[f"{_stem(name)}.lora_b"]
            heads = self._heads(name)
            layer.a.data.copy_(torch.from_numpy(a))
            layer.b.data.copy_(torch.from_numpy(_halved(b, heads).copy() if heads else b))

    def build_on(self, path: Path, rank: int) -> None:
        """Keep this adapter as it is, and learn another one, of this rank, on top of it."""
        self.load_adapter(path)
        self.model.requires_grad_(False)
        for name, layer in list(self._adapted_layers(Adapted)):
            parent = self.model.get_submodule(name.rpartition(".")[0])
            above = Adapted(layer, rank, ALPHA_OF_RANK * rank)
            setattr(parent, name.rpartition(".")[2], above)

    def fold(self) -> None:
        """Make play quicker: half of its operations are those of adapters. It is to be called anew
        whenever they have changed."""
        for _, layer in self._adapted_layers(Adapted):
            layer.fold()

    def encode(self, prompts: Sequence[str]) -> list[list[int]]:
        """The tokens of prompts."""
        return [each.ids for each in self.tokenizer.encode_batch([chat(one) for one in prompts])]

    def scores(self, tokens: Sequence[Sequence[int]]) -> Tensor:
        """The logits of all letters after each prompt, as a row each."""
        lengths = torch.tensor([len(each) for each in tokens], device=self.device)
        shared = _shared(tokens)
        padded = np.zeros((len(tokens), max(map(len, tokens)) - shared), np.int64)
        for row, each in zip(padded, tokens, strict=True):
            row[: len(each) - shared] = each[shared:]
        # The rules begin every prompt, so they are read once for all.
        before = DynamicCache(config=self.config)
        if shared:
            beginning = torch.tensor([tokens[0][:shared]], device=self.device)
            self.model.model(beginning, past_key_values=before, use_cache=True)
            before.batch_repeat_interleave(len(tokens))
        # Attention looks back only, so what pads the end needs no mask.
        rest = torch.from_numpy(padded).to(self.device)
        hidden = self.model.model(rest, past_key_values=before, use_cache=True).last_hidden_state
        last = hidden[torch.arange(len(tokens), device=self.device), lengths - shared - 1]
        # In 32 bits: in 16 the likeliest letters would often have the very same score.
        return nn.functional.linear(last.float(), self.model.lm_head.weight[self.letters].float())

    def write_adapter(self, path: Path, **about: str) -> None:
        """Write the adapter as llama.cpp reads it."""
        writer = GGUFWriter(path, "llama")
        writer.add_type("adapter")
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", float(self.alpha))
        for name, text in about.items():
            writer.add_string(f"general.{name}", text)
        for name, layer in self._adapted_layers(Adapted):
            b = layer.b.detach().cpu().numpy()
            heads = self._heads(name)
            if heads:
                b = _interleaved(b, heads)
            a = layer.a.detach().cpu().numpy()
            writer.add_tensor(f"{_stem(name)}.lora_a", a.astype(np.float16))
            writer.add_tensor(f"{_stem(name)}.lora_b", b.astype(np.float16))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

    def _heads(self, name: str) -> int:
        """How many heads the rows of a layer are split into; 0 if their order is the same in a GGUF."""
        if name.endswith("q_proj"):
            return self.config.num_attention_heads
        return self.config.num_key_value_heads if name.endswith("k_proj") else 0

    def _adapted_layers(self, kind: type[nn.Module]) -> Iterator[tuple[str, Any]]:
        for name, layer in self.model.named_modules():
            if isinstance(layer, kind) and name.endswith(ADAPTED):
                yield name, layer


def _stem(name: str) -> str:
    """The name in a GGUF of the layer that has this name in transformers."""
    _, _, number, *rest = name.split(".")
    return f"blk.{number}.{IN_GGUF['.'.join(rest)]}.weight"


def _shared(tokens: Sequence[Sequence[int]]) -> int:
    """How many tokens all prompts begin with; at least one of each is left over."""
    first = min(tokens, key=list)
    last = max(tokens, key=list)
    most = min(map(len, tokens)) - 1
    for place in range(most):
        if first[place] != last[place]:
            return place
    return most


def _interleaved(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of a query or key layer in the order of a GGUF, which pairs neighbours for the rotation
    where transformers pairs halves."""
    count, width = rows.shape
    halves = rows.reshape(heads, 2, count // heads // 2, width)
    return halves.swapaxes(1, 2).reshape(count, width)


def _halved(rows: np.ndarray, heads: int) -> np.ndarray:
    """The inverse of `_interleaved`."""
    count, width = rows.shape
    pairs = rows.reshape(heads, count // heads // 2, 2, width)
    return pairs.swapaxes(1, 2).reshape(count, width)


def _field(reader: GGUFReader, name: str) -> Any:
    return reader.fields[name].contents()


def _config(reader: GGUFReader) -> LlamaConfig:
    names = {tensor.name for tensor in reader.tensors}
    return LlamaConfig(
        vocab_size=len(_field(reader, "tokenizer.ggml.tokens")),
        hidden_size=_field(reader, "llama.embedding_length"),
        intermediate_size=_field(reader, "llama.feed_forward_length"),
        num_hidden_layers=_field(reader, "llama.block_count"),
        num_attention_heads=_field(reader, "llama.attention.head_count"),
        num_key_value_heads=_field(reader, "llama.attention.head_count_kv"),
        max_position_embeddings=_field(reader, "llama.context_length"),
        rms_norm_eps=_field(reader, "llama.attention.layer_norm_rms_epsilon"),
        rope_parameters={
            "rope_type": "default",
            "rope_theta": _field(reader, "llama.rope.freq_base"),
        },
        tie_word_embeddings="output.weight" not in names,
    )


def _weights(reader: GGUFReader, config: LlamaConfig) -> dict[str, Tensor]:
    """The tensors under the names that transformers has for them."""
    found = {tensor.name: dequantize(tensor.data, tensor.tensor_type) for tensor in reader.tensors}
    take = lambda name: torch.from_numpy(np.array(found[name], np.float32))  # noqa: E731
    weights = {
        "model.embed_tokens.weight": take("token_embd.weight"),
        "model.norm.weight": take("output_norm.weight"),
    }
    weights["lm_head.weight"] = (
        weights["model.embed_tokens.weight"]
        if config.tie_word_embeddings
        else take("output.weight")
    )
    heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
    for number in range(config.num_hidden_layers):
        layer = f"model.layers.{number}"
        weights[f"{layer}.input_layernorm.weight"] = take(f"blk.{number}.attn_norm.weight")
        weights[f"{layer}.post_attention_layernorm.weight"] = take(f"blk.{number}.ffn_norm.weight")
        for name, stem in IN_GGUF.items():
            rows = take(f"blk.{number}.{stem}.weight")
            if stem in heads:
                rows = torch.from_numpy(_halved(rows.numpy(), heads[stem]).copy())
            weights[f"{layer}.{name}.weight"] = rows
    return weights


def _tokenizer(reader: GGUFReader) -> Tokenizer:
    """The tokenizer that a GGUF describes: bytes, with every digit for itself."""
    names = _field(reader, "tokenizer.ggml.tokens")
    merges = [tuple(each.split(" ")) for each in _field(reader, "tokenizer.ggml.merges")]
    vocabulary = {name: number for number, name in enumerate(names)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.add_special_tokens([name for name in SPECIAL if name in vocabulary])
    return tokenizer
