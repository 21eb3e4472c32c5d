import { isMoney, linesOf, type Conflict, type Terminal } from "@comanda/terminal";
import { sendPaid } from "../../checks/send-check.ts";
import { discardRefused } from "../../lib/page/discard-refused.ts";

/** After a payment was applied to `posReference`, sends its dishes to the kitchen from there if their send waited behind it. */
export function sendPaidDishes(terminal: Terminal, { intent, behind }: Conflict, posReference: string): void {
  if (!isMoney(intent)) return;
  const { posReference: own, seen } = intent;
  if (own === posReference) return sendPaid(terminal, posReference);
  const sent = behind.flatMap((each) =>
    each.type === "ORDER_SEND" && each.posReference === own ? (each.lineIds ?? linesOf(seen).map(({ id }) => id)) : [],
  );
  sendPaid(terminal, posReference, ({ id, splitOf = id }) => sent.includes(id) || sent.includes(splitOf));
  if (sent.length > 0) forgetEmptySend(terminal, own);
}

/** Discards the send from the check that the dishes have left: it finds none of them, and needs no decision. */
function forgetEmptySend(terminal: Terminal, posReference: string): void {
  const stop = terminal.on("conflict", ({ id, intent, refusal }) => {
    if (intent.type !== "ORDER_SEND" || intent.posReference !== posReference) return;
    if (refusal.errorCode === "NOT_FOUND") void discardRefused(terminal, id);
  });
  // A later send of that check is a separate act.
  void terminal.idle().then(stop);
}
