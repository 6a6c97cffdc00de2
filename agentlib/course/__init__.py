"""What a lesson needs around its code: exercises, the reader's progress, and the command line.

Importing this package loads nothing of Jupyter or of the command line.
"""

from agentlib.course.lesson import check, hint, progress, solution

__all__ = ["check", "hint", "progress", "solution"]
