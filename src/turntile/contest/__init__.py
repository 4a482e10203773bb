"""Contests: pairings, ratings, sequential tests, reports; on the cores of this machine or on a cluster."""
