"""The short look that lesson 00 takes; `agentlib doctor` is the long one."""

from __future__ import annotations

QUICK = ("python", "packages", "kernel", "widgets")


def checkup() -> None:
    """Print one line when the notebook has what it needs, else each fault with its mend."""
    from agentlib.course import doctor

    looks = [getattr(doctor, f"_{name}") for name in QUICK]
    faults = [f for look in looks for f in look() if f.state == "fault"]
    for fault in faults:
        print(f"{fault.name}: {fault.what}. Mend: {fault.mend}")
    if not faults:
        print("Python, the packages, the kernel and the buttons: all there.")
