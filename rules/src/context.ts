import type { PaymentMethods } from "./payments/payment-methods.ts";
import type { ForeignCurrency, OrderType, PosConfig, PosSession, Role, Station } from "@comanda/protocol";
import type { CheckOnTable } from "./checks/check-on-table.ts";

/** Who acts, when, and what is known of the restaurant at that moment. */
export interface RuleContext {
  /** The moment of the change, in ms since 1970. */
  now: number;
  /** When the terminal queued it, by the same clock; null when it did not say. */
  queuedAt: number | null;
  writer: Actor;
  /** The kitchen's stations; none means one kitchen without a name. */
  stations: readonly Station[];
  /** Names, categories, prices; null where the menu was never read. */
  menu: RuleMenu | null;
  /** The POS session as far as it is known. */
  session: Pick<PosSession, "active"> | null;
  /** How long a sent line that no station has seen can be taken back, in ms. */
  takeBackMs: number;
  newId(): string;
  hub: HubKnowledge | null;
}

/** Who makes a change: a person at a terminal, an integration, or the hub itself. */
export interface Actor {
  terminalId: string;
  userName: string;
  /** The higher role of the person and of the one who approved. */
  role: Role;
  /** Who approved what the person alone may not do. */
  approvedBy?: string | undefined;
}

export interface RuleMenu extends Pick<PosConfig, "rounding">, Partial<Pick<PosConfig, "hubMode" | "currencies">> {
  products: readonly PosConfig["products"][number][];
  taxes: readonly PosConfig["taxes"][number][];
  paymentMethods?: PaymentMethods;
}

/** What the hub keeps of guests who booked or wait for a table. */
export interface GuestRecord {
  pluginId: string;
  key: string;
}

/** What only the hub can know, of the writer's point of view. A terminal does without. */
export interface HubKnowledge {
  /** Who else has a check open. */
  otherHolder(posReference: string): { userName: string; terminalId: string } | null;
  /** Whether somebody else has changed the content of a check after this version. */
  hasOtherWriter(posReference: string, version: number): boolean;
  /** Whether money was brought for a check that it did not take yet. */
  hasKeptMoney(posReference: string): boolean;
  /** The active check that names the record of guests who booked or waited; null where none does. */
  checkOfParty(record: GuestRecord): CheckOnTable | null;
  /** The next number of the day to call out; undefined for an order at a table. */
  ticketNumber(orderType: OrderType): string | undefined;
  /** A currency at a rate that was the house's when a change was queued, ms since 1970; null where it was none. */
  formerRate(currency: string, rate: number, queuedAt: number | null): ForeignCurrency | null;
}
