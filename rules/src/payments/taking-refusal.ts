import type { RateChanged } from "./value-foreign.ts";

/** Why nobody takes this money now, or gives it back. */
export type TakingRefusal =
  | { code: "CASHIER_NEEDED"; values: { what: "take_payment" | "return_payment" } }
  | { code: "NO_SESSION"; values: object }
  /** The back-office has no such method, or takes no such cash. */
  | { code: "UNKNOWN_METHOD"; values: { field: string } }
  /** It does not settle the check, and that has so many already. */
  | { code: "TOO_MANY_TENDERS"; values: { posReference: string; most: number } }
  | RateChanged
  | { code: "NO_TENDER"; values: { tenderId: string } };
