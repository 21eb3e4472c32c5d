import { isMoney, linesOf, type Conflict, type Terminal } from "@comanda/terminal";
import { sendPaid } from "../../checks/send-check.ts";
import { discardRefused } from "../../lib/page/discard-refused.ts";

/** After a payment was put on `posReference`: its dishes whose send waited behind it go to the kitchen from there. */
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

/** The send from the check that the dishes have left finds none of them there: nobody has to decide about that. */
function forgetEmptySend(terminal: Terminal, posReference: string): void {
  const stop = terminal.on("conflict", ({ id, intent, refusal }) => {
    if (intent.type !== "ORDER_SEND" || intent.posReference !== posReference) return;
    if (refusal.errorCode === "NOT_FOUND") void discardRefused(terminal, id);
  });
  // Another send of that check later is somebody's own.
  void terminal.idle().then(stop);
}
