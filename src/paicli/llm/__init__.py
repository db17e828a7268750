"""Talking to models: the `ChatModel` protocol, presets of providers, and the client for OpenAI-compatible endpoints."""
