from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.memory.entry import MemoryEntry, MemoryType, Provenance
from paicli.memory.redaction import redact, redact_entry, redact_json, storable, storable_json

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA75\nxyz=\n-----END RSA PRIVATE KEY-----"
SECRETS = [
    ("令牌 sk-demo0000000000000000000000", "sk-demo", "api-key"),
    ("found AKIADEMODEMODEMO1234 in env", "AKIADEMO", "api-key"),
    ("ghp_abcdefghij0123456789ABCDEFGHIJ", "ghp_", "api-key"),
    ("glpat-abcdefghij0123456789", "glpat-", "api-key"),
    ("xoxb-1234567890-abcdefghij", "xoxb-", "api-key"),
    ("AIzaSyA0123456789abcdefghijklmnopqrstuv", "AIza", "api-key"),
    ("0123456789abcdef0123456789abcdef.AbCdEfGh12345678", "0123456789abcdef", "api-key"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.abcDEF-ghi_123", "eyJ", "token"),
    ("Authorization: Bearer abcdefghijklmnop.qrst", "abcdefgh", "token"),
    ("postgres://user:hunter@db:5432/x", "hunter", "password"),
    ("生产库口令 Zx9!demo，端口 5432", "Zx9", "password"),
    ("记住：数据库密码是 s3cr3t。", "s3cr3t", "password"),
    ("密码是hunter", "hunter", "password"),
    ("口令：123456", "123456", "password"),
    ("password=hunter2", "hunter2", "password"),
    ("the password is Hunter22", "Hunter22", "password"),
    ('{"password": "correct horse battery"}', "horse", "password"),
    ("密码是 abc123（测试）", "abc123", "password"),
    ("密码是 abc123(测试)", "abc123", "password"),
    ("(password=abc12x)", "abc", "password"),
    ("DB_PASSWORD='abc123'", "abc123", "password"),
    ("password=$ecret!x", "ecret", "password"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIaK7MDENGbPxRfiCY", "wJalr", "api-key"),
    ("我的 API key 是 abcd1234efgh", "abcd1234", "api-key"),
    ("access_token: a1b2c3d4e5f6", "a1b2c3", "token"),
    (PEM, "MIIE", "private-key"),
    (PEM[:55], "MIIE", "private-key"),
    (json.dumps({"key": PEM}), "MIIE", "private-key"),
]
ORDINARY = [
    "commit 9f3c1ab0d1e2f3a4b5c6d7e8f9a0b1c2d3e4f5a6",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "see /srv/app/conf.d/a.yml, port 18443",
    "the token budget is 200000 tokens; max_tokens=2000, token_count=80",
    "def login(password: str, token: string = None) -> None: ...",
    "password = getpass()",
    "password = getpass('Password: ')",
    "password=${DB_PASSWORD} token=os.environ['TOKEN']",
    "密码是小猫钓鱼",
    "密码是 bcrypt 加密的，密码长度 8 位",
    "password is required; the token is expired",
    "PWD=/home/x",
    "令牌桶算法 token bucket v2",
    "密钥文件 ~/.ssh/id_rsa",
    "用户喜欢 Java",
    "task-runner sk-short risk-based-approach-to-everything",
]


@pytest.mark.parametrize(("text", "secret", "kind"), SECRETS)
def test_a_secret_gives_way_to_a_placeholder(text: str, secret: str, kind: str) -> None:
    redacted = redact(text)
    assert secret not in redacted.text
    assert f"[redacted:{kind}]" in redacted.text
    assert kind in redacted.kinds


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text).text == text
    assert redact(text).kinds == ()


def test_the_rest_of_the_fact_stays() -> None:
    assert redact("生产库口令 Zx9!demo，端口 5432").text == "生产库口令 [redacted:password]，端口 5432"


def test_json_stays_json() -> None:
    text = json.dumps({"password": "a b c d", "key": PEM, "token": "t0k3nvalue"})
    assert json.loads(redact(text).text).keys() == {"password", "key", "token"}


_PARTS = st.sampled_from(
    [text for text, _, _ in SECRETS] + ORDINARY + ["，", " ", "\n", '"', "=", "password", "密码是"]
)


@given(st.lists(_PARTS | st.text(max_size=8)).map("".join))
def test_a_second_pass_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


def test_values_are_redacted_by_the_name_of_their_key_too() -> None:
    value = {"user": "x", "password": "hunter2", "calls": [{"arguments": '{"token": "t0k3nvalue"}'}], "count": 3}
    redacted = redact_json(value)
    assert "hunter2" not in str(redacted)
    assert "t0k3nvalue" not in str(redacted)
    assert redacted["count"] == 3
    assert redacted["user"] == "x"


def test_an_entry_is_redacted_in_text_metadata_and_quote() -> None:
    secret = "password=hunter2"
    entry = MemoryEntry(secret, MemoryType.FACT, metadata={"a": secret}, source=Provenance("s", "m", secret))
    kept, kinds = redact_entry(entry)
    assert "hunter2" not in repr(kept)
    assert kinds == ("password", "password", "password")
    assert (kept.id, kept.timestamp) == (entry.id, entry.timestamp)


@given(st.text(st.characters()))
def test_a_storable_text_can_be_encoded_and_keeps_what_could_be_before(text: str) -> None:
    kept = storable(text)
    kept.encode()
    assert "\0" not in kept
    assert storable(kept) == kept


def test_only_the_bad_code_unit_is_replaced() -> None:
    assert storable("a\ud83db🧩") == "a\ufffdb🧩"
    assert storable("\ud83e\udde9") == "🧩"
    assert storable("a\0b") == "ab"
    assert storable_json({"a\0": ["\ud83d", 1, None]}) == {"a": ["\ufffd", 1, None]}
