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

/** What happened to an order. `forwarded`: only its forward state changed. */
export type OrderEvent = "created" | "updated" | "paid" | "forwarded";

/** A change of shared state. Changes with a `seq` are numbered and durable; the others are only announced. */
export type Change =
  | {
      kind: "order.stored";
      seq: number;
      event: OrderEvent;
      /** The kind of the new version; null if only the forward state changed. */
      versionKind: VersionKind | null;
      origin: string;
      order: StoredOrder;
      /** When the terminal queued the change, ms since 1970, if known. */
      queuedAt?: number | null;
      /** The change recovers an order after a restore, so its content happened earlier. */
      isRestored?: true;
      /** The serialized order for terminals, shared by all of them. */
      wire: string;
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
  /** A manager's decision on a kept change. `message` is the answer for its terminal. */
  | { kind: "change.decided"; terminalId: string; message: HubMessage }
  /** `before`: the previous ticket; null if it is new or unknown. `isRestored`: recovered from before a restore. */
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
  /** A print job has changed. `notifies`: the terminal that caused the job, if any, is notified. */
  | { kind: "print.changed"; job: PrintJobNews; printerId: string; terminalId: string | null; notifies: boolean }
  | { kind: "notice"; notice: Notice };

/** A notice for the screens only: the lists that have changed, and optionally a line for the feed. */
export interface Notice {
  topics: StreamTopic[];
  feed?: Pick<FeedEntry, "kind" | "level" | "tableId" | "detail">;
}

export type ChangeOf<K extends Change["kind"]> = Extract<Change, { kind: K }>;

/** The operations of a command inside its write. */
export interface Tx {
  /** Wall time of this write, ms since 1970. */
  readonly now: number;
  /** The first seq that this write may take: it identifies the write, and later writes have higher ones. */
  readonly firstSeq: number;
  /** Returns the next seq of shared state. The seq is reused if the write is undone. */
  nextSeq(): number;
  /** Runs the recorders for a change in this transaction. Listeners receive the change after the commit. */
  emit(change: Change): void;
  /** Emits a notice with the lists of the screens that this write changes, and optionally a line for the feed. */
  notify(topics: StreamTopic[], feed?: Notice["feed"]): void;
  /** Calls `undo` if this write is undone, alone or with its commit group, so that caches match the data file. */
  onUndo(undo: () => void): void;
}

/** Runs inside the transaction, to write data that must be stored together with the change. */
export type Recorder = (change: Change, tx: Tx) => void;

/** Runs after the commit with all changes of a commit group, in order. */
export type Listener = (changes: readonly Change[]) => void;
