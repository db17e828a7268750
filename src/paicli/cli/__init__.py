"""The terminal: options, the line editor, commands, and everything that is printed."""
