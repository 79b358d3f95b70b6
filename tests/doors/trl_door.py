"""Trains by TRL itself: `python -m tests.doors.trl_door`, in an environment that has it.

A tiny model with random weights, whose words are scripted, plays two groups of four rollouts: tools,
refusals, rewards and the optimiser run for real, and no weights are fetched. The tokenizer is made
here, too, for the template that TRL itself brings.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"

import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

from tests.tasks.table import table
from thorp.integrations.trl_tasks import TaskEnvironment, environment, rows

GROUP = 4
WAIT = '<tool_call>\n{"name": "wait", "arguments": {"ticks": 5}}\n</tool_call>'
FLY = '<tool_call>\n{"name": "mine_nearest", "arguments": {"block": "GOLD"}}\n</tool_call>'
STOP = "I am done."


def tokenizer() -> Any:
    """One token for each byte, and TRL's own template for tool calls."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<tool_call>", "</tool_call>"]
    vocabulary = {text: number for number, text in enumerate([*special, *alphabet])}
    made = Tokenizer(models.BPE(vocabulary, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
    )  # fmt: skip
    fast.add_tokens(["<tool_call>", "</tool_call>"])
    templates = Path(trl.__file__).parent / "chat_templates"
    fast.chat_template = (templates / "qwen2_5.jinja").read_text("utf-8")
    return fast


def main() -> None:
    words = tokenizer()
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(words), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
            num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=32768,
        )
    )  # fmt: skip
    made: list[TaskEnvironment] = []
    kind = environment("try-patience", table())

    def factory() -> TaskEnvironment:
        made.append(kind())
        return made[-1]

    begun: list[str] = []
    reset = kind.reset

    def noted(self: TaskEnvironment, *given: Any, **row: Any) -> Any:
        message = reset(self, *given, **row)
        assert self._play is not None
        begun.append(f"{row['task_id']} {self._play.episode.digest()}")
        return message

    kind.reset = noted  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        config = GRPOConfig(
            output_dir=folder, per_device_train_batch_size=GROUP, num_generations=GROUP,
            max_completion_length=6000, max_tool_calling_iterations=4, max_steps=2, use_cpu=True,
            bf16=False, report_to=[], save_strategy="no", beta=0.0, logging_steps=1,
        )  # fmt: skip
        trainer = GRPOTrainer(
            model, reward_funcs=[], args=config, processing_class=words,
            train_dataset=Dataset.from_list(rows("try-patience", suite=table())),
            environment_factory=factory,
        )  # fmt: skip
        turns = {"count": 0}

        def generate(prompt_ids: Any, *given: Any, **options: Any) -> Any:
            """The first member waits and waits; the second asks for gold; the others only talk."""
            turns["count"] += 1
            says = [WAIT, FLY, STOP, STOP]
            chosen = says if len(prompt_ids) == GROUP else [WAIT] * len(prompt_ids)
            if turns["count"] % 5 in (3, 4, 0):
                chosen = [STOP] * len(prompt_ids)
            return [words(f"{each}<|im_end|>")["input_ids"] for each in chosen], None

        trainer._generate_single_turn = generate
        trainer.train()
        history = trainer.state.log_history
    groups = [set(begun[at : at + GROUP]) for at in range(0, len(begun), GROUP)]
    assert len(begun) >= 2 * GROUP
    assert all(len(group) == 1 for group in groups), groups
    print(f"trl: {len(groups)} groups of {GROUP} began in one state each")
    steps = [each for each in history if "reward" in each]
    assert any(each["reward_std"] > 0 for each in steps), steps
    assert any(each.get("tools/call_frequency", 0) > 0 for each in steps), steps
    first = steps[0]
    print(
        f"trl: reward {first['reward']:.3f} +- {first['reward_std']:.3f}, calls "
        f"{first.get('tools/call_frequency')}, refused {first.get('tools/failure_frequency')}"
    )


if __name__ == "__main__":
    main()
