"""Commands that play with simulated devices and people: demo, rig, soak."""
