"""Smoke tests of an edition: automatically played games that detect faulty definitions."""
