"""Commands that set up the board under a table: config, staff, enroll, reference."""
