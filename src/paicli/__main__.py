"""`python -m paicli` is the command `paicli`."""

import sys

from paicli.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
