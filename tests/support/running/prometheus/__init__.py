"""Prometheus and its Alertmanager, as Debian has them."""
