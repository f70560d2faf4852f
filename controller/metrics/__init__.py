"""A table's metrics for Prometheus: GET /metrics on the page's server.

exposition   the text format, written by hand: some forty lines, so the board needs no package for it
table        the metrics of one table, gathered on each request
route        GET /metrics
targets      where Prometheus finds the tables

Numbers only, and names from the configuration: no card, exposed or not, no sum of money and no person is in it.
docs/operations/monitoring.md lists the metrics; deploy/grafana has a dashboard, deploy/prometheus the alerts.
"""

from controller.metrics.exposition import Family, Histogram, render
from controller.metrics.route import metrics_route
from controller.metrics.table import TableMetrics

__all__ = ["Family", "Histogram", "TableMetrics", "metrics_route", "render"]
