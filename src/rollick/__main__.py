"""`python -m rollick`: the same as the `rollick` command."""

from .cli.main import main

main()
