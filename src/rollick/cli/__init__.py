"""The `rollick` command, one file per subcommand."""
