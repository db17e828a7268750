"""What a test of an agent or a memory needs: a scripted model, a strict server, a store's contract. For users too."""

from paicli.testing.scripted import ScriptedModel

__all__ = ["ScriptedModel"]
