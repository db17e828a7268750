"""The memory of an agent: short-term and long-term, compression, budget, retrieval. Usable on its own."""

from paicli.memory.budget import TokenBudget
from paicli.memory.compression.compressor import ContextCompressor
from paicli.memory.conversation import ConversationMemory
from paicli.memory.entry import MemoryEntry, MemoryType
from paicli.memory.long_term import LongTermMemory
from paicli.memory.manager import MemoryManager
from paicli.memory.protocols import LanguageModel, Memory, MemoryStore
from paicli.memory.retriever import MemoryRetriever
from paicli.memory.search.scoring import ScoredEntry
from paicli.memory.search.words import MemoryQueryTokenizer
from paicli.memory.stores.in_memory import InMemoryStore
from paicli.memory.stores.json_file import JsonFileStore
from paicli.memory.tokens.estimate import estimate_tokens

__all__ = [
    "ContextCompressor",
    "ConversationMemory",
    "InMemoryStore",
    "JsonFileStore",
    "LanguageModel",
    "LongTermMemory",
    "Memory",
    "MemoryEntry",
    "MemoryManager",
    "MemoryQueryTokenizer",
    "MemoryRetriever",
    "MemoryStore",
    "MemoryType",
    "ScoredEntry",
    "TokenBudget",
    "estimate_tokens",
]
