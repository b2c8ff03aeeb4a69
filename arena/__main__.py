"""`python -m arena`: the same as `tengen-arena`."""

import sys

from arena.cli import main

sys.exit(main())
