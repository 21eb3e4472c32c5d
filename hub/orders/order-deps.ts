import type { OrderMutation, PosConfig, PosSession, Station } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { ItemStates } from "../kitchen/item-states.ts";
import type { TicketStore } from "../kitchen/ticket-store.ts";
import type { People } from "../people/people.ts";
import type { VersionPeopleStore } from "../people/version-people.ts";
import type { LeaseBook } from "../leases/lease-book.ts";
import type { PlannedTables } from "../tables/require-known-tables.ts";
import type { TableStore } from "../tables/table-store.ts";
import type { World } from "../platform/world.ts";
import type { CreditAnswers } from "./payments/credit-rules.ts";
import type { CreditStore } from "./payments/credit-store.ts";
import type { KeptChangeStore } from "./kept-changes/kept-change-store.ts";
import type { MutationStore } from "./store/mutation-store.ts";
import type { NcfStore } from "./payments/ncf-store.ts";
import type { Numbering } from "./store/numbering.ts";
import type { OrderStore } from "./store/order-store.ts";
import type { PaymentIdentities } from "./payments/payment-identities.ts";
import type { UnappliedPaymentStore } from "./payments/unapplied-payment-store.ts";

export interface OrderDeps {
  world: World;
  changes: ChangeLog;
  orders: OrderStore;
  tickets: TicketStore;
  itemStates: ItemStates;
  tables: TableStore;
  leases: LeaseBook;
  numbering: Numbering;
  mutations: MutationStore;
  unappliedPayments: UnappliedPaymentStore;
  keptChanges: KeptChangeStore;
  ncfs: NcfStore;
  credits: CreditStore;
  paymentIdentities: PaymentIdentities;
  people: People;
  versionPeople: VersionPeopleStore;
  /** The POS session as the back-office last reported it; null when it never did. */
  session(): PosSession | null;
  /** The point of sale's configuration as last read: products, payment methods, taxes; null when it never was. */
  posConfig(): PosConfig | null;
  /** The tables of the floor plan; null while the hub has no plan to go by. */
  plannedTables: PlannedTables;
  /** The kitchen's stations; none means one kitchen without a name. */
  stations(): readonly Station[];
  /** How long a sent line that no station has seen can be taken back, in ms. */
  takeBackMs: number;
  /** What one customer may owe while the back-office cannot be asked. */
  uncheckedCredit: number;
  /** Asks the back-office about the credit that a mutation takes; null when it takes none, or was carried out before. */
  askCredit(mutation: OrderMutation): Promise<CreditAnswers> | null;
}

export type { Writer } from "./writer.ts";
