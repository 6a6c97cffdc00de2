"""The offline model: a scripted model behind the protocol's own rules, without key or network.

A request meets, in this order: `transport` or `server` (the wire), `endpoint` (paths and keys),
`protocol` (the referee), `planner` (what to say), `quirks` (how to get it wrong), `replies`.
"""
