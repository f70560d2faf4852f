"""Simulated time: a clock at any speed, and an event loop for a table and its daemon in one process
(docs/development/soak.md)."""
