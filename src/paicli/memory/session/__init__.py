"""The records of a session, and how they are read back."""
