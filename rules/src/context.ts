import type { PaymentMethods } from "./payments/payment-methods.ts";
import type { ForeignCurrency, OrderType, PosConfig, PosSession, Role, Station } from "@comanda/protocol";
import type { CheckOnTable } from "./checks/check-on-table.ts";

/** The writer, the time, and the known state of the restaurant. */
export interface RuleContext {
  /** Time of the change, in ms since 1970. */
  now: number;
  /** When the terminal queued it, by the same clock; null if not reported. */
  queuedAt: number | null;
  writer: Actor;
  /** The kitchen's stations; empty means a single kitchen without a name. */
  stations: readonly Station[];
  /** Names, categories and prices; null if the menu was never read. */
  menu: RuleMenu | null;
  /** The POS session; null if unknown. */
  session: Pick<PosSession, "active"> | null;
  /** How long a sent line that no station has seen can be taken back, in ms. */
  takeBackMs: number;
  newId(): string;
  hub: HubKnowledge | null;
}

/** The author of a change: a person at a terminal, an integration, or the hub itself. */
export interface Actor {
  terminalId: string;
  userName: string;
  /** The higher role of the person and the approver. */
  role: Role;
  /** The person who approved what the writer alone is not allowed to do. */
  approvedBy?: string | undefined;
}

export interface RuleMenu extends Pick<PosConfig, "rounding">, Partial<Pick<PosConfig, "hubMode" | "currencies">> {
  products: readonly PosConfig["products"][number][];
  taxes: readonly PosConfig["taxes"][number][];
  paymentMethods?: PaymentMethods;
}

/** The key of the plugin record of guests who booked or are waiting. */
export interface GuestRecord {
  pluginId: string;
  key: string;
}

/** What only the hub knows, from the writer's point of view. A terminal has none of it. */
export interface HubKnowledge {
  /** Returns the other user who has a check open. */
  otherHolder(posReference: string): { userName: string; terminalId: string } | null;
  /** Returns whether another writer has changed the content of a check after this version. */
  hasOtherWriter(posReference: string, version: number): boolean;
  /** Returns whether the hub keeps a payment for a check that could not be applied to it. */
  hasKeptMoney(posReference: string): boolean;
  /** Returns the active check that names this guest record; null if there is none. */
  checkOfParty(record: GuestRecord): CheckOnTable | null;
  /** Returns the next ticket number of the day; undefined for an order at a table. */
  ticketNumber(orderType: OrderType): string | undefined;
  /** Returns a currency if the rate was valid when the change was queued (ms since 1970); otherwise null. */
  formerRate(currency: string, rate: number, queuedAt: number | null): ForeignCurrency | null;
}
