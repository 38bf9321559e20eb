"""The notebooks a learner works in."""
