"""`python -m rollick`: the same as the `rollick` command."""

from .cli.entry import main

main()
