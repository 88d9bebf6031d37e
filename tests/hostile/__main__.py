"""`python -m tests.hostile [NUMBER [SECONDS]]`: every attack at full size, and a report."""

import sys

from tests.hostile.run import Run, attack_service

NUMBER, SECONDS = 1500, 45.0


def print_report(run: Run) -> None:
    print(f"quiet: 99 of 100 answers within {run.quiet * 1000:.0f} ms, {run.before} MB")
    for one in run.attacks:
        print(
            f"{one.name:28} {one.made:7} made  {one.answers:6} answers, half within "
            f"{one.median * 1000:5.0f} ms, the last of them {one.latest * 1000:6.0f} of "
            f"{one.allowed * 1000:5.0f} ms  {one.megabytes:5} MB"
        )
    print(f"afterwards: {run.after} MB")


def main() -> int:
    given = [float(one) for one in sys.argv[1:]]
    run = attack_service(int(given[0]) if given else NUMBER, given[1] if given[1:] else SECONDS)
    print_report(run)
    faults = list(run.faults())
    for fault in faults:
        print(f"fault: {fault}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
