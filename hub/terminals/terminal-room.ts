import type { HubMessage, PosSession, Since, StoredOrder } from "@comanda/protocol";
import type { Identities } from "../back-office/identities.ts";
import type { PosState } from "../back-office/pos-state.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { HubConfig } from "../settings/config.ts";
import type { Peers } from "../platform/peer-address.ts";
import type { LeaseBook } from "../leases/lease-book.ts";
import type { OrderDeps } from "../orders/order-deps.ts";
import type { TableRules } from "../tables/table-rules.ts";
import type { World } from "../platform/world.ts";
import type { SyncBuilder } from "./sync.ts";
import type { ActiveTerminal } from "./terminal-session.ts";
import type { TerminalStore } from "./terminal-store.ts";

/** What a terminal's connection works with. */
export interface TerminalDeps {
  world: World;
  config: HubConfig;
  peerOf: Peers["of"];
  changes: ChangeLog;
  identities: Identities;
  pos: PosState;
  leases: LeaseBook;
  tables: TableRules;
  orderDeps: OrderDeps;
  sync: SyncBuilder;
  /** To be told where a terminal stands before it is told anything. */
  noteLossSeenBy(since: Since | undefined): Promise<void>;
  terminals: TerminalStore;
  /** Keeps what a terminal held before history forked from `epoch` and this hub lacks; answers of how many orders. */
  keepOffers(terminalId: string, epoch: string, orders: readonly StoredOrder[]): Promise<number>;
  /** The HUB_STATUS of this moment. */
  status(): HubMessage;
  /** Told whenever a terminal comes, goes, or says something new about itself. */
  onTerminal(news: "joined" | "replaced" | "left" | "reported", active: ActiveTerminal): void;
}

export const noSession: PosSession = { active: false };
