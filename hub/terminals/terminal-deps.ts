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
  peerOf: Peers["addressOf"];
  identities: Identities;
  pos: PosState;
  tables: TableRules;
  applyTerminalChange: ApplyTerminalChange;
  sync: SyncBuilder;
  /** Called with the place of an admitted terminal, before the terminal is sent anything. */
  reportLossOf(since: Since | undefined): Promise<void>;
  terminalStore: TerminalStore;
  people: Pick<People, "giveToken" | "renameDevice" | "renewToken" | "actor" | "noteApproved">;
  /** Called in the transaction that renames a device; `userName` is the signed-in user. */
  noteRenamed(tx: Tx, names: { from: string; to: string }, userName: string): void;
  offers: Offers;
  /** Returns a payment's answer with its order's fiscal number; waits briefly for a number that is being requested. */
  completeAnswer(answer: OrderAnswer): Promise<OrderAnswer>;
  /** The current HUB_STATUS. */
  status(): HubMessage;
  /** Called when a terminal joins, is replaced, leaves, or reports something new about itself. */
  onTerminal(event: "joined" | "replaced" | "left" | "reported", active: ActiveTerminal): void;
}

export const noSession: PosSession = { active: false };
