import type { MutationMessage } from "@comanda/terminal";
import type { TestTerminal } from "../../hub/test/support/connect-terminal.ts";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";

/** The state in which work on a check ends. */
export type CheckEnd = "open" | "sent" | "paid" | "discarded";

interface CheckWork {
  posReference: string;
  end: CheckEnd;
  random: Random;
  ledger: Ledger;
  /** Returns the length of the write log. */
  mark: () => number;
}

type WithoutId<T> = T extends unknown ? Omit<T, "mutationId"> : never;

/** Works a check from its opening to `end`, one mutation after the other. Rejects if an answer does not come. */
export async function workCheck(terminal: TestTerminal, work: CheckWork): Promise<void> {
  const { posReference, end, random, ledger, mark } = work;
  const line = (id: string) => ({ id, productId: 101, quantity: random.int(1, 4), unitPrice: 50, total: 50 });
  const note = "n".repeat(random.int(0, 400));
  const lines = [line("a"), line("b")];
  let version = 0;
  const change = async (message: WithoutId<MutationMessage>): Promise<void> => {
    const sent = { mutationId: crypto.randomUUID(), ...message } as MutationMessage;
    const answer = await terminal.change(sent);
    version = answer.version ?? version;
    ledger.acknowledged.push({ message: sent, answer, mark: mark() });
  };
  const write = (): Promise<void> => {
    const total = lines.reduce((sum, each) => sum + each.total, 0);
    const totals = { subtotal: total, tax: 0, total };
    // The message keeps a copy of the lines, because later ones are added to `lines`.
    const snapshot = { orderType: "takeout" as const, notes: note, lines: [...lines], totals };
    return change({ type: "ORDER_UPSERT", posReference, baseVersion: version, snapshot });
  };
  await write();
  if (end === "discarded") {
    ledger.discarding.add(posReference);
    return change({ type: "ORDER_DISCARD", posReference, baseVersion: version });
  }
  lines.push(line("c"));
  await write();
  if (end === "open") return;
  await change({ type: "ORDER_SEND", posReference });
  lines.push(line("d"));
  await write();
  if (end === "sent") return;
  await change({ type: "ORDER_CHECKOUT", posReference, baseVersion: version });
  const amount = lines.reduce((sum, each) => sum + each.total, 0);
  await change({ type: "ORDER_PAY", posReference, baseVersion: version, payments: [{ methodId: 1, amount }] });
}
