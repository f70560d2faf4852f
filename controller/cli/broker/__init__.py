"""Commands beside a broker and a monitoring system: tail, sparkplug, targets, certificates."""
