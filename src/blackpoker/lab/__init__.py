"""The lab: the effect of rule changes, measured over many games with the same deals.

>>> from blackpoker.lab import Arm, Experiment
>>> experiment = Experiment("first moves", (Arm("lite", "lite+entry", players=("random", "random")),), deals=10)
>>> experiment.games
20
"""

from __future__ import annotations

from blackpoker.lab.experiment import Arm, Experiment, LabError, read_experiment
from blackpoker.lab.experiment_file import Store
from blackpoker.lab.scheduler import run

__all__ = ["Arm", "Experiment", "LabError", "Store", "read_experiment", "run"]
