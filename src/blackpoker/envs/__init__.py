"""Environments for learning programs (docs/guide/envs.md); their libraries come with the extra ``envs``."""
