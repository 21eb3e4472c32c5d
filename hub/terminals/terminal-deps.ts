import type { HubMessage, PosSession, Since } from "@comanda/protocol";
import type { Identities } from "../back-office/identities.ts";
import type { PosState } from "../back-office/pos-state.ts";
import type { OrderAnswer } from "../orders/store/mutation-store.ts";
import type { ApplyTerminalChange } from "../orders/apply-terminal-change.ts";
import type { People } from "../people/people.ts";
import type { Peers } from "../platform/peer-address.ts";
import type { Offers } from "../restores/keep-offers.ts";
import type { HubConfig } from "../settings/config.ts";
import type { TableRules } from "../tables/table-rules.ts";
import type { SyncBuilder } from "./sync/sync.ts";
import type { ActiveTerminal } from "./sessions/terminal-session.ts";
import type { TerminalStore } from "./terminal-store.ts";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { World } from "../platform/world.ts";
import type { LeaseBook } from "../leases/lease-book.ts";

export interface TerminalDeps {
  world: World;
  changes: ChangeLog;
  leases: LeaseBook;
  config: HubConfig;
  peerOf: Peers["of"];
  identities: Identities;
  pos: PosState;
  tables: TableRules;
  applyTerminalChange: ApplyTerminalChange;
  sync: SyncBuilder;
  /** To be called with the place of a terminal that is let in, before it is sent anything. */
  noteLossSeenBy(since: Since | undefined): Promise<void>;
  terminalStore: TerminalStore;
  people: Pick<People, "giveToken" | "renameDevice" | "renewToken" | "actor" | "noteApproved">;
  /** Inside the write in which a device gets another name: who was signed in. */
  noteRenamed(tx: Tx, names: { from: string; to: string }, userName: string): void;
  offers: Offers;
  /** The answer to a payment with the fiscal number of its order; waits a moment for one that is being asked for. */
  completeAnswer(answer: OrderAnswer): Promise<OrderAnswer>;
  /** The HUB_STATUS of this moment. */
  status(): HubMessage;
  /** Called whenever a terminal comes, goes, or reports something new about itself. */
  onTerminal(event: "joined" | "replaced" | "left" | "reported", active: ActiveTerminal): void;
}

export const noSession: PosSession = { active: false };
