"""Tests of RoboRace."""
