"""Presets are complete, and the right one is found."""

from __future__ import annotations

import pytest

from paicli.errors import ConfigError
from paicli.llm.presets import PRESETS, Preset, find_preset, preset_for


def test_the_default_is_glm() -> None:
    preset = preset_for()
    assert (preset.name, preset.default_model, preset.key_variable) == ("glm", "glm-5.1", "GLM_API_KEY")
    assert preset.base_url == "https://open.bigmodel.cn/api/paas/v4"
    assert preset.context_window == 200_000


@pytest.mark.parametrize(
    "preset", [preset for preset in PRESETS if preset.name != "local"], ids=lambda preset: preset.name
)
def test_a_hosted_preset_knows_its_key_and_the_window_of_its_model(preset: Preset) -> None:
    assert preset.key_variable.endswith("_API_KEY")
    assert preset.window_of(preset.default_model)
    assert preset.base_url.startswith("https://")
    assert preset.key_url.startswith("https://")


def test_local_needs_no_key_and_asks_the_server_for_the_model() -> None:
    local = find_preset("local")
    assert (local.key_variable, local.default_model, local.context_window) == ("", "", 32_768)


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("glm-5.1", 200_000),
        ("GLM-5.2-air", 1_000_000),
        ("glm-4-long", 1_000_000),
        ("zai/glm-4.6", 200_000),
        ("llama", None),
    ],
)
def test_the_longest_beginning_of_a_name_decides(model: str, window: int | None) -> None:
    assert find_preset("glm").window_of(model) == window


@pytest.mark.parametrize(
    ("model", "address", "name"),
    [
        ("", "https://api.deepseek.com/v1", "deepseek"),
        ("glm-5.1", "http://127.0.0.1:9999/v1", "local"),
        ("glm-5.1", "https://gateway.example.com/v1", "local"),
        ("kimi-k3", "", "kimi"),
        ("gpt-5.6-sol", "", "openai"),
        ("qwen3.6-plus", "", "qwen"),
        ("mystery", "", "glm"),
    ],
)
def test_the_preset_is_found_by_address_then_by_name(model: str, address: str, name: str) -> None:
    assert preset_for(model, address).name == name


def test_an_unknown_name_is_told_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="'claude': not one of glm, deepseek"):
        find_preset("claude")
