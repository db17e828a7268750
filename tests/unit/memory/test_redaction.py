from __future__ import annotations

import json

import pytest
from hypothesis import example, given
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
    ("密码就是 MyDog2020", "MyDog", "password"),
    ("密碼: Hong2Kong!", "Hong2", "password"),
    ("密码123456", "123456", "password"),
    ("密码 20481024，别告诉别人", "20481024", "password"),
    ("密码改成 hunterx 了", "hunterx", "password"),
    ("口令是“小猫钓鱼”", "小猫", "password"),
    ('my password is "correct horse"', "horse", "password"),
    ("the password is now Hunter22", "Hunter22", "password"),
    ("pw: abc123", "abc123", "password"),
    ("curl -u admin:Pa55word! https://x", "Pa55", "password"),
    (json.dumps(["curl", "-u", "admin:Pa55word!"]), "Pa55", "password"),
    ("curl https://x \\\n  --user admin:Pa55word!", "Pa55", "password"),
    ("mysql -u root -pS3cretPw -h db", "S3cret", "password"),
    ("sshpass -p 'hunterx' ssh x", "hunterx", "password"),
    ("docker login -u me -p hunterx", "hunterx", "password"),
    ("tool --db-password hunterx", "hunterx", "password"),
    ("Set-Cookie: session=abc123def456; Path=/", "abc123def456", "token"),
    ("Cookie: theme=dark; sid=abc123def456", "abc123def456", "token"),
    ("AccountName=a;AccountKey=/Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4==;", "Eby8", "api-key"),
    ("https://x.blob.example/a?sv=2020&sig=abcDEF123%2Babc%3D", "abcDEF", "token"),
    ("http://user:pw12@host/v1", "pw12", "password"),
    ("http://user:p@ss@host/v1", "ss@", "password"),
    ("https://hooks.slack.com/services/T0001/B0001/abcdefXYZ", "abcdefXYZ", "api-key"),
    ("{'password': 'it\\'s me'}", "s me", "password"),
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
    "密码登录功能，忘记密码页面 password reset page",
    "the token budget is 500",
    "密码 2024 年改过，密码SHA256加密，密码 base64 编码",
    "密码是必填项；口令红包；密码改成什么好",
    "口令是小猫",  # nothing tells it from ordinary talk
    "docker run -u 1000:1000 -p 8080:80 nginx; mkdir -p src/main/java",
    "curl -u $USER:$PASS x; cp -p file1 file2; git push -u origin:main",
    "pass: 12, fail: 3; if pw == x:",
    "Cookie: theme=dark; a cookie: a small file",
    "http://localhost:8080/a@b and ssh user@host:22",
    '{"password": null, "token": "", "max_tokens": 2000000000}',
    r'{"path": "C:\\new\\token\\file"}',
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


NESTED = json.dumps({"a": json.dumps({"b": json.dumps({"password": 'ab"cd', "x": "\nghp_abcdefghij0123456789ABCD"})})})
KEY = "ghp_AAAAbbbbCCCCddddEEEEffff1234"
ESCAPED = [
    (r'{"content": "x\nghp_AAAAbbbbCCCCddddEEEEffff1234"}', "ghp_"),
    (r'{"content": "x\nghp_AAAAbbbbCCCCddddEEEEffff1234', "ghp_"),
    (r'{"c":"{\"api_key\": \"9f8e7d6c5b4a39281706\"}"}', "9f8e"),
    (r'{"c":"{\"api_key\": \"9f8e7d6c5b4a39281706', "9f8e"),
    (json.dumps({"密码": "hunter2", "n": 1}), "hunter2"),
    (json.dumps({"密码": "hunter2", "n": 1})[:22], "hunt"),
    (json.dumps({"t": "密码是 hunter2。"}), "hunter2"),
    (json.dumps({"t": "密码是 hunter2。"})[:-3], "hunter2"),
    (json.dumps({"password": 12345678}), "1234"),
    (json.dumps({"password": 'it"s; me'}), "me"),
    (json.dumps({"c": "a\tBearer abcdefghijklmnop.qrst\nsecret: abcd1234efgh"}), "abcd"),
    (json.dumps({"c": json.dumps({"k": PEM})})[:80], "MIIE"),
    (NESTED, "cd"),
    (NESTED, "ghp_"),
    (f"\x1b[31m{KEY}", "ghp_"),
    (rf"\u001b[31m{KEY} \x0a{KEY}", "ghp_"),
    (f"https://x/?q=%20{KEY}", "ghp_"),
]


@pytest.mark.parametrize(("text", "secret"), ESCAPED)
def test_a_secret_behind_escapes_and_in_json_within_json_gives_way_too(text: str, secret: str) -> None:
    redacted = redact(text)
    assert secret not in redacted.text
    assert redacted.kinds
    assert redact(redacted.text).text == redacted.text


@pytest.mark.parametrize("text", [text for text, _ in ESCAPED if text.endswith("}")])
def test_what_was_json_before_can_be_read_as_json_after(text: str) -> None:
    assert json.loads(redact(text).text).keys() == json.loads(text).keys()


def test_json_without_a_secret_stays_as_it_is_to_the_byte() -> None:
    text = '{"a" : "\\u5bc6\\/\\n\\"x\\"", "a": 1e400, "b":[ ]}'
    assert redact(text).text == text


@given(st.recursive(st.text() | st.integers() | st.none(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)))
def test_json_stays_json_whatever_it_holds(value: object) -> None:
    text = json.dumps({"password": value, "c": json.dumps({"token": value}), "d": f"\n{KEY}"})
    redacted = json.loads(redact(text).text)
    assert redacted["d"] == "\n[redacted:api-key]"
    json.loads(redacted["c"])


_PARTS = st.sampled_from(
    [text for text, _, _ in SECRETS]
    + [text for text, _ in ESCAPED]
    + ORDINARY
    + ["，", " ", "\n", '"', "=", "password", "密码是"]
)


@example(
    "mysql -u root -pS3cretPw -h db(password=abc12x)&令牌 sk-demo0000000000000000000000mysql -u root -pS3cretPw -h db"
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


def test_a_call_as_the_transcript_has_it_holds_no_secret() -> None:
    arguments = json.dumps({"path": "a.env", "content": f"x\n{KEY}\nDB_PASSWORD=correcthorse"})
    record = {"tool_calls": [{"arguments": arguments}], "metadata": {"arguments": arguments}, "DB_PASSWORD": "a b c"}
    text = json.dumps(redact_json(record))
    assert "ghp_" not in text
    assert "correct" not in text
    assert "a b c" not in text
    assert redact_json({"password": 12345678, "is_secret": True, KEY: 1}) == {
        "password": "[redacted:password]",
        "is_secret": True,
        "[redacted:api-key]": 1,
    }


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
