import "../../test/page-address.ts";
import { expect, it, onTestFinished } from "vitest";
import { failureText } from "../../lib/page/show-refusal.ts";
import { hideNotice, notices } from "../../lib/page/notices.ts";
import { TerminalRefusal } from "@comanda/terminal";
import { approvalRequest } from "../../people/approval-request.ts";
import { offlineTerminal } from "../../test/offline-terminal.ts";
import { approveCount } from "./follow-count.ts";

it("a count that does not exist any more when a manager approves it is reported [TILL-44]", async () => {
  const terminal = await offlineTerminal();
  onTestFinished(hideNotice);
  const approved = approveCount(terminal, "shift-1", "gone");
  approvalRequest.get()?.answer(terminal);
  await approved;
  expect(notices.get()).toEqual({ text: failureText(new TerminalRefusal("NOT_FOUND", "")) });
});
