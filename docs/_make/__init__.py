"""Pages of the documentation that are written from the code: the API, the commands, the rooms, the targets of the ledger, the pages that move."""
