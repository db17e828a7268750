"""What a test of an agent or a memory needs: a scripted model, a strict server, a store's contract. For users too."""

from paicli.testing.replies import Broken, Call, Empty, HttpError, NoUsage, Raw, Slow
from paicli.testing.scripted import ModelRequest, ScriptedModel, ScriptExhausted
from paicli.testing.server import ChatServer
from paicli.testing.store_contract import StoreContract
from paicli.testing.strictness import Rules

__all__ = [
    "Broken",
    "Call",
    "ChatServer",
    "Empty",
    "HttpError",
    "ModelRequest",
    "NoUsage",
    "Raw",
    "Rules",
    "ScriptExhausted",
    "ScriptedModel",
    "Slow",
    "StoreContract",
]
