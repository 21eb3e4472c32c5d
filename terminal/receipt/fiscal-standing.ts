import type { Snapshot } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";

/** State of a paid check's fiscal number; `code` is why it failed. */
export type FiscalStanding =
  | { state: "assigned"; ncf: string }
  | { state: "pending" }
  | { state: "none" }
  | { state: "failed"; code: string | null };

type Paid = Pick<LocalOrder, "snapshot" | "pending">;

/** Returns a paid check with the fiscal data that its payments asked for, until the hub has answered. */
export function withRequestedNumber({ snapshot, pending }: Paid): Snapshot {
  const { ncf, fiscal, tenders = [] } = snapshot;
  if (ncf !== undefined || fiscal !== undefined || pending === 0) return snapshot;
  const request = tenders.findLast((tender) => tender.fiscal !== undefined)?.fiscal;
  // A check that is closed without a payment does not show what was asked for.
  const isRequested = tenders.length === 0 || request?.type !== undefined;
  return { ...snapshot, fiscal: { ...request, status: isRequested ? "pending" : "none" } };
}

/** Returns the state of the fiscal number. */
export function fiscalStanding(check: Paid): FiscalStanding {
  const { ncf, fiscal } = withRequestedNumber(check);
  if (ncf !== undefined) return { state: "assigned", ncf };
  if (fiscal?.status === "failed") return { state: "failed", code: fiscal.errorCode ?? null };
  return { state: fiscal?.status === "pending" ? "pending" : "none" };
}
