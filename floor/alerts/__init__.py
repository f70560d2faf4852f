"""Alerts for Prometheus' Alertmanager, which routes, escalates, silences, mails and calls. We only state what is wrong.

firing   which alerts there are now: of the tables, of the room, of the store
posting  posts them, and ends those that are over

docs/floor/alerts.md is its page; deploy/floor/alertmanager.yml the configuration to begin with.
"""
