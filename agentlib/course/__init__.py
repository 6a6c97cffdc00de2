"""What a lesson needs around its code: exercises, the reader's progress, and the command line.

Importing this package loads nothing of Jupyter or of the command line.
"""

from agentlib.course.checkup import checkup
from agentlib.course.lesson import check, hint, progress, solution
from agentlib.course.scratch_folder import scratch

__all__ = ["check", "checkup", "hint", "progress", "scratch", "solution"]
