"""Where the command `plyhost` begins: an interruption is seen to before anything is imported."""

from plyhost.interrupts import end_quietly_on_interrupt


def start_command_line() -> None:
    """Run the command line and end the program."""
    end_quietly_on_interrupt()
    from plyhost.cli.commands import main

    main(prog_name="plyhost")
