/** An order of one data file that another lacks in that state. */
export interface LostOrder {
  kind: "order_missing" | "order_older" | "order_paid" | "order_discarded";
  posReference: string;
  /** For a discarded check the version of its mark. */
  version: number;
  /** The stored order as JSON; null for a discarded check. */
  body: string | null;
  /** When it was written (ms since 1970), and who wrote it, if that is known. */
  at: number;
  by: string | null;
  source: "replaced_file" | "webhook_log";
}
