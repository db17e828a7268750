"""Where long-term entries and transcripts are kept: all of the memory that touches the disk."""
