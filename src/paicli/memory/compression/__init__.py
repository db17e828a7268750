"""Replaces old rounds of the history by a summary."""
