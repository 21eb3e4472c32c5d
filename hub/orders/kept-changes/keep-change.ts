import { type OrderMutation, hubLimits } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { HubError } from "../../platform/errors.ts";
import type { Writer } from "../writer.ts";
import type { KeptChange, KeptChangeStore } from "./kept-change-store.ts";
import { posReferenceOf } from "../rulebook/refused-mutation.ts";

/**
 * Keeps for a manager what came with a revoked token, in the commit that refuses it. False where the list of its device, or
 * of all, is full, and where it is too large: then it stays on its device.
 */
export function keepRefusedChange(
  keptChanges: KeptChangeStore,
  tx: Tx,
  mutation: OrderMutation,
  refused: { writer: Writer; refusal: HubError; queuedAtMs: number | null; digest: string },
): boolean {
  const { writer, refusal, queuedAtMs, digest } = refused;
  const { terminalId, userName } = writer;
  const { keptChangesPerTerminal, keptChanges: most, orderContentBytes } = hubLimits;
  if (keptChanges.countOpenOf(terminalId) >= keptChangesPerTerminal || keptChanges.countOpen() >= most) return false;
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

/** Why a mutation is refused that is kept already: it is another one, or was decided against. Null where it is neither. */
export function refusalOfKept({ digest, settledHow, settledBy }: KeptChange, shown: string): HubError | null {
  if (digest !== null && digest !== shown) {
    return new HubError("VALIDATION_ERROR", "mutationId: was used before for another change");
  }
  return settledHow === "dismissed" ? dismissed(settledBy) : null;
}

export function dismissed(by: string | null): HubError {
  return new HubError(
    "DISMISSED",
    `${by ?? "a manager"} has decided against this change, which was kept for a manager`,
  );
}

export function ordersIn(mutation: OrderMutation): string[] {
  if (mutation.type === "ORDER_BATCH") return mutation.orders.map(({ posReference }) => posReference);
  const posReference = posReferenceOf(mutation);
  return posReference === undefined ? [] : [posReference];
}
