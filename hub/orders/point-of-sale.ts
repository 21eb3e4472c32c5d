import type { ForeignCurrency, PosConfig, PosSession, Station } from "@comanda/protocol";
import type { PlannedTables } from "../tables/require-known-tables.ts";

/** The point of sale as the hub knows it: from the back-office, and from its own settings. */
export interface PointOfSale {
  /** The session as the back-office last reported it; null when it never did. */
  session(): PosSession | null;
  /** Products, payment methods and taxes as last read; null when they never were. */
  config(): PosConfig | null;
  /** A currency at a rate that was the house's at a time, ms since 1970; null where it was none, or nobody said when. */
  formerRate(currency: string, rate: number, at: number | null): ForeignCurrency | null;
  /** The methods that were cash, and are in the menu no more. */
  formerCash(): readonly string[];
  /** The tables of the floor plan; null while the hub has no plan to go by. */
  tables: PlannedTables;
  /** The kitchen's stations; none means one kitchen without a name. */
  stations(): readonly Station[];
  /** How long a sent line that no station has seen can be taken back, in ms. */
  takeBackMs: number;
  /** Whether the back-office cannot sign electronic receipts, so that numbers on paper are given. */
  isContingency(): boolean;
}
