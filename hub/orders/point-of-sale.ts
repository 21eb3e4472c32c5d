import type { ForeignCurrency, PosConfig, PosSession, Station } from "@comanda/protocol";
import type { PlannedTables } from "../tables/require-known-tables.ts";

/** The point of sale as the hub knows it from the back-office and from its own settings. */
export interface PointOfSale {
  /** The session that the back-office last reported; null if it never did. */
  session(): PosSession | null;
  /** Products, payment methods and taxes as last read; null if they were never read. */
  config(): PosConfig | null;
  /** A currency with a rate that was valid at `at` (ms since 1970); null if it was not valid then or `at` is unknown. */
  formerRate(currency: string, rate: number, at: number | null): ForeignCurrency | null;
  /** Ids of cash methods that are no longer in the menu. */
  formerCash(): readonly string[];
  /** The tables of the floor plan; null while the hub has no plan. */
  tables: PlannedTables;
  /** The kitchen's stations; an empty list means a single kitchen without a name. */
  stations(): readonly Station[];
  /** How long a sent line that no station has seen can be taken back, in ms. */
  takeBackMs: number;
  /** Whether the back-office cannot sign electronic receipts, so that paper numbers are issued. */
  isContingency(): boolean;
}
