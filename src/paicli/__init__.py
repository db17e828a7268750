"""paicli: an agent CLI for the terminal whose memory works, and that memory as a library."""

__version__ = "0.1.0"
