"""One input that is no command: answered by the agent, carried out as a plan, or met with what memory has to say."""

from __future__ import annotations

import time

from paicli.agents.plan import Plan
from paicli.agents.plan_execute import PlanResult
from paicli.cli.dialogue import Dialogue
from paicli.cli.memory_view import print_block
from paicli.cli.render import AnswerPrinter
from paicli.cli.talk_commands import tell_extraction
from paicli.memory.context_block import ContextBlock
from paicli.tools.guard import Approval, Ask


def answer(dialogue: Dialogue, text: str, *, show_text: bool = True) -> str:
    """Has the agent answer, shows it as it comes, and returns it. Errors and KeyboardInterrupt pass through."""
    terminal = dialogue.terminal
    printer = AnswerPrinter(terminal, dialogue.tell_remembered, show_text=show_text)
    agent = dialogue.app.agent(emit=printer.emit, ask=_asking(dialogue, printer), language=terminal.language)
    terminal.wait()
    try:
        reply = agent.run(text)
    finally:
        printer.end()
        dialogue.has_told_stop = printer.has_told_stop
        dialogue.tell_notices()
    if terminal.dialogue:
        _tell_receipt(dialogue, printer.receipt)
    return reply


def _tell_receipt(dialogue: Dialogue, receipt: ContextBlock) -> None:
    """Says how many memories went along, unless they are those that went along the last time anyway."""
    core = frozenset(entry.id for entry in receipt.core)
    if receipt.recalled or core - dialogue.told_core:
        dialogue.terminal.note("session.recalled", count=len(receipt.core) + len(receipt.recalled))
    dialogue.told_core = core


def _asking(dialogue: Dialogue, printer: AnswerPrinter) -> Ask:
    """Returns the question a tool asks before it does something: on a line of its own."""

    def ask(approval: Approval) -> bool:
        printer.end()
        start = time.monotonic()
        try:
            return dialogue.approve(approval)
        finally:
            printer.asked_seconds += time.monotonic() - start

    return ask


def carry_out_plan(dialogue: Dialogue, goal: str) -> PlanResult:
    """Has the goal planned, asks, and has the plan carried out. Errors and KeyboardInterrupt pass through."""
    terminal = dialogue.terminal
    printer = AnswerPrinter(terminal, dialogue.tell_remembered)

    def confirm(_: Plan) -> bool:
        printer.end()
        return dialogue.confirm(terminal.text("session.plan-confirm"))

    planner = dialogue.app.planner(
        confirm=confirm, emit=printer.emit, ask=_asking(dialogue, printer), language=terminal.language
    )
    terminal.wait()
    try:
        result = planner.run(goal)
    finally:
        printer.end()
        dialogue.has_told_stop = printer.has_told_stop
        dialogue.tell_notices()
    _tell_result(dialogue, result)
    return result


def _tell_result(dialogue: Dialogue, result: PlanResult) -> None:
    terminal = dialogue.terminal
    if not result.confirmed:
        terminal.note("session.plan-refused")
        return
    if result.ok:
        terminal.say("session.plan-done", style="good")
    else:
        done = sum(one.ok for one in result.results.values())
        terminal.say("session.plan-partly", style="warn", done=done, count=len(result.plan.tasks))
    if result.extraction and not result.extraction.reason:
        tell_extraction(dialogue, result.extraction)
    if result.extraction_error:
        terminal.error(result.extraction_error)


def meet_without_model(dialogue: Dialogue, text: str) -> None:
    """Keeps a statement by rule; for any other line shows what memory would recall. The conversation gets it either way."""
    terminal, app = dialogue.terminal, dialogue.app
    block = app.memory.context_block(text)
    kept = app.memory.remember_statement(app.memory.add_user_message(text))
    if kept:
        dialogue.tell_remembered([kept])
        return
    if block:
        terminal.note("session.would-recall")
        print_block(terminal, block, app.scopes)
    else:
        terminal.note("session.would-recall-none")
