"""`python -m arena`: the same as `tengen-arena`."""

import sys

from .cli.main import main

sys.exit(main())
