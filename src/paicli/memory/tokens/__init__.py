"""Sizes in a model's tokens: the article's estimate, and a counter that learns."""
