"""The collector: what tables publish, into the store; receipts and requests back to them.

wire        one connection to a broker: an acknowledgement when we say so; connecting: made again and again
subscriptions  what is subscribed, shared or plainly
collector   connections, batches, and what is acknowledged when
requests    holes filled by `replay`, silent tables asked by `ping`
receipts    what the store has, back to the tables

docs/floor/collector.md is its page.
"""
