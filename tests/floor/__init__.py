"""The floor."""
