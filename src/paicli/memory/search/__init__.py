"""What finds entries: words, an index of them, the ranking, the score."""
