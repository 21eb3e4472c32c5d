import type { RateChanged } from "./value-foreign.ts";

/** Why money cannot be taken or returned now. */
export type TakingRefusal =
  | { code: "CASHIER_NEEDED"; values: { what: "take_payment" | "return_payment" } }
  | { code: "NO_SESSION"; values: object }
  /** The back-office does not have this method, or does not accept this currency. */
  | { code: "UNKNOWN_METHOD"; values: { field: string } }
  /** The check has the maximum number of tenders, and this one does not settle it. */
  | { code: "TOO_MANY_TENDERS"; values: { posReference: string; most: number } }
  | RateChanged
  | { code: "NO_TENDER"; values: { tenderId: string } };
