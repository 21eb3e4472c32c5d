import type { LocalOrder } from "@comanda/terminal";

/** State of a paid check's fiscal number; `code` is why it failed. */
export type FiscalStanding =
  | { state: "assigned"; ncf: string }
  | { state: "pending" }
  | { state: "none" }
  | { state: "failed"; code: string | null };

/** Returns the state of the fiscal number, which is pending until the hub has answered the payment. */
export function fiscalStanding({ snapshot, pending }: Pick<LocalOrder, "snapshot" | "pending">): FiscalStanding {
  const { ncf, fiscal } = snapshot;
  if (ncf !== undefined) return { state: "assigned", ncf };
  if (fiscal?.status === "failed") return { state: "failed", code: fiscal.errorCode ?? null };
  if (fiscal?.status === "pending") return { state: "pending" };
  return fiscal === undefined && pending > 0 ? { state: "pending" } : { state: "none" };
}
