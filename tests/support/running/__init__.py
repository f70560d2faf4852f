"""Running programs: tables with their daemon, brokers, browsers, consoles, and who asks them."""
