import type {
  FeedEntry,
  HubMessage,
  ItemState,
  KitchenTicket,
  LeaseHolder,
  PluginRecord,
  PosSession,
  PrintJobNews,
  StoredOrder,
  StreamTopic,
  TableState,
  TillState,
  VersionKind,
} from "@comanda/protocol";

/** What happened to an order, seen from outside; `forwarded` is a change of its way to the back-office only. */
export type OrderEvent = "created" | "updated" | "paid" | "forwarded";

/** One fact about shared state. Those with `seq` are counted and durable; the others are only announced. */
export type Change =
  | {
      kind: "order.stored";
      seq: number;
      event: OrderEvent;
      /** What kind of version this is; null when only its way to the back-office changed. */
      did: VersionKind | null;
      origin: string;
      order: StoredOrder;
      /** When its terminal queued the change, ms since 1970, where it said so. */
      queuedAt?: number | null;
      /** It comes back after a restore: what it says happened before. */
      isRestored?: true;
      /** The stored order as terminals get it, serialized once for all of them. */
      wire: string;
      /** Its content alone, serialized once for all that send it on. */
      snapshotJson: string;
    }
  | {
      kind: "order.removed";
      seq: number;
      origin: string;
      posReference: string;
      version: number;
      last: StoredOrder;
      mergedInto?: string[];
    }
  | { kind: "table.changed"; seq: number; origin: string; table: TableState; statusChanged: boolean }
  | { kind: "plugin.stored"; seq: number; record: PluginRecord }
  | { kind: "plugin.removed"; seq: number; pluginId: string; key: string }
  | { kind: "lease.changed"; posReference: string; holder: LeaseHolder | null; by: string }
  | { kind: "lease.revoked"; posReference: string; from: string; by: { terminalId: string; userName: string } }
  /** What a manager has made of a change that was kept: `message` answers it to its terminal. */
  | { kind: "change.decided"; terminalId: string; message: HubMessage }
  /** `before`: as it was; null where it is new, or was not kept. `isRestored`: it was so before a restore. */
  | {
      kind: "ticket.changed";
      seq: number;
      origin: string;
      ticket: KitchenTicket;
      before: KitchenTicket | null;
      isRestored?: true;
    }
  | { kind: "item.changed"; seq: number; itemState: ItemState }
  | { kind: "till.changed"; seq: number; till: TillState }
  | { kind: "session.changed"; session: PosSession }
  | { kind: "menu.changed"; menuVersion: string }
  /** What becomes of a job of a printer. `isNews`: the terminal that caused it, if there is one, is told. */
  | { kind: "print.changed"; job: PrintJobNews; printerId: string; terminalId: string | null; isNews: boolean }
  | { kind: "notice"; notice: Notice };

/** For the screens only: a line of their feed, if it deserves one, and the lists that it changes. */
export interface Notice {
  topics: StreamTopic[];
  feed?: Pick<FeedEntry, "kind" | "level" | "tableId" | "detail">;
}

export type ChangeOf<K extends Change["kind"]> = Extract<Change, { kind: K }>;

/** What a command may do inside its write. */
export interface Tx {
  /** Wall time of this write, ms since 1970. */
  readonly now: number;
  /** Takes the next number of shared state; given back if the write is undone. */
  nextSeq(): number;
  /** Records what follows from a change in this transaction; it is announced after the commit. */
  emit(change: Change): void;
  /** Emits a notice: the lists of the screens that this write changes, and a line of their feed, if it deserves one. */
  notify(topics: StreamTopic[], feed?: Notice["feed"]): void;
  /** Calls `undo` if this write is undone, alone or with its commit group: memory must not be ahead of the data file. */
  onUndo(undo: () => void): void;
}

/** Runs inside the transaction: writes what must not be forgotten if this change is kept. */
export type Recorder = (change: Change, tx: Tx) => void;

/** Runs after the commit with all changes of one commit group, in order. */
export type Listener = (changes: readonly Change[]) => void;
