"""Updates by signed reference."""
