import { type OrderMutation, hubLimits } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import type { Writer } from "../writer.ts";
import type { KeptChange, KeptChangeStore } from "./kept-change-store.ts";
import { posReferenceOf } from "../rulebook/refused-mutation.ts";

/**
 * Keeps a change that came with a revoked token for a manager, in the commit that refuses it. Returns false if the limit of its
 * terminal or of the hub is reached, or if it is too large; the change then stays on its terminal.
 */
export function keepRefusedChange(
  keptChanges: KeptChangeStore,
  tx: Tx,
  mutation: OrderMutation,
  refused: { writer: Writer; refusal: HubError; queuedAtMs: number | null; digest: string },
): boolean {
  const { writer, refusal, queuedAtMs, digest } = refused;
  const { terminalId, userName } = writer;
  const { keptChangesPerTerminal, keptChanges: maxKeptChanges, orderContentBytes } = hubLimits;
  if (
    keptChanges.countOpenByTerminal(terminalId) >= keptChangesPerTerminal ||
    keptChanges.countOpen() >= maxKeptChanges
  )
    return false;
  if (Buffer.byteLength(JSON.stringify(mutation)) > orderContentBytes) return false;
  keptChanges.save(tx, mutation, {
    digest,
    terminalId,
    userName,
    error: refusal.message,
    queuedAt: queuedAtMs,
  });
  tx.notify(["kept_changes"]);
  return true;
}

/** Returns why the mutation of a kept change is refused: its content differs, or the change was dismissed; else null. */
export function refusalOfSettled({ digest, settledHow, settledBy }: KeptChange, shown: string): HubError | null {
  if (digest !== null && digest !== shown) {
    return new HubError("VALIDATION_ERROR", "mutationId: was used before for another change");
  }
  return settledHow === "dismissed" ? dismissedError(settledBy) : null;
}

export function dismissedError(by: string | null): HubError {
  return new HubError("DISMISSED", `this change was kept for a manager, and ${by ?? "a manager"} has dismissed it`);
}

export function ordersIn(mutation: OrderMutation): string[] {
  if (mutation.type === "ORDER_BATCH") return mutation.orders.map(({ posReference }) => posReference);
  const posReference = posReferenceOf(mutation);
  return posReference === undefined ? [] : [posReference];
}
