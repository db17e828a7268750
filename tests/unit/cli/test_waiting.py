from __future__ import annotations

from paicli.cli.waiting import WaitingLine


class Screen:
    """A line of a terminal, as far as a waiting line needs one; time passes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.line = ""
        self.waiting = WaitingLine(self.write, lambda seconds: f"thinking… {seconds} s", lambda: self.seconds)

    def write(self, text: str) -> None:
        self.line = text.rpartition("\x1b[2K")[2]


def test_the_line_counts_the_seconds_and_is_gone_at_the_end() -> None:
    screen = Screen()
    screen.waiting.start()
    assert screen.line == "thinking… 0 s"
    screen.seconds = 2.5
    screen.waiting.tick()
    assert screen.line == "thinking… 2 s"
    screen.waiting.stop()
    screen.waiting.tick()
    assert screen.line == ""


def test_the_line_makes_room_for_something_else_and_comes_back_with_the_seconds_since_the_start() -> None:
    screen = Screen()
    screen.waiting.start()
    screen.waiting.hide()
    assert screen.line == ""
    screen.seconds = 4.0
    screen.waiting.tick()
    assert screen.line == "thinking… 4 s"
    screen.waiting.stop()


def test_a_second_start_does_not_begin_to_count_again() -> None:
    screen = Screen()
    screen.waiting.start()
    screen.seconds = 3.0
    screen.waiting.start()
    screen.waiting.tick()
    assert screen.line == "thinking… 3 s"
    screen.waiting.stop()
