import type { ForeignCurrency } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";

/** Throws VALIDATION_ERROR for money in a currency that is not `accepted`. Null means that they were never read. */
export function requireAccepted(
  field: string,
  named: readonly { currency?: string | undefined }[],
  accepted: readonly Pick<ForeignCurrency, "code">[] | null,
): void {
  for (const { currency } of named) {
    if (currency === undefined || accepted === null || accepted.some(({ code }) => code === currency)) continue;
    throw new HubError("VALIDATION_ERROR", `${field}: ${currency} is not taken here`);
  }
}
