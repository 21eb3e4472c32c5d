import type {
  HubMessageOf,
  Lease,
  LeaseHolder,
  LeaseRole,
  OutboxReport,
  PluginRecord,
  PosSession,
  TableState,
} from "@comanda/protocol";
import type { Emitter } from "./emitter.ts";
import type { OrderContent } from "./orders/order-content.ts";
import type { LocalOrder } from "./orders/replay-order.ts";
import type { Mutation } from "./outbox/outbox.ts";
import type { OutboxEntry, PaymentIntent } from "./outbox/outbox-entry.ts";
import type { OutboxStorage } from "./outbox/outbox-storage.ts";
import type { Conflict } from "./outbox/present-conflict.ts";
import type { ConnectionState } from "./session/connection.ts";
import type { OpenSocket } from "./session/socket.ts";
import type { Reservations } from "./state/read-reservations.ts";
import type { TerminalWorld } from "./world.ts";

export interface TerminalOptions {
  /** `ws://host:port`, or where to look for it before every connection. */
  url: string | (() => Promise<string>);
  deviceId: string;
  /** A back-office session id. */
  token: string;
  /** Asked when the hub refuses the token; answers a new one, or null when the user has to sign in first. */
  renewToken?: (refusedToken: string) => Promise<string | null>;
  storage: OutboxStorage;
  openSocket: OpenSocket;
  /** The application's own, as the back-office's minimum counts it; without one, this library's. */
  clientVersion?: string;
  world?: TerminalWorld;
}

export interface SignedIn {
  terminalId: string;
  user: HubMessageOf<"AUTH_OK">["user"];
  minClientVersion: string | null;
  /** The hub could not ask the back-office and believed what it knew. */
  offline: boolean;
}

/** Where another terminal's user is. */
export type Whereabouts = Omit<HubMessageOf<"PRESENCE">, "type">;
export type HubStatus = Omit<HubMessageOf<"HUB_STATUS">, "type">;

export interface TerminalEvents {
  connection: ConnectionState;
  signedIn: SignedIn;
  /** The hub told a newer token of this session; use it elsewhere too. */
  token: string;
  /** These orders look different now, or are gone. */
  orders: readonly string[];
  tables: readonly TableState[];
  plugins: readonly PluginRecord[];
  /** Records or phases changed. */
  reservations: Reservations;
  leases: { posReference: string; holder: LeaseHolder | null };
  /** A lease that was to be kept is somebody else's now, or nobody's. */
  leaseLost: { posReference: string; by: { terminalId: string; userName: string } | null };
  presence: readonly Whereabouts[];
  session: PosSession;
  hubStatus: HubStatus;
  terminalJoined: { terminalId: string; userName: string };
  terminalLeft: { terminalId: string; userName: string };
  outbox: OutboxReport;
  acknowledged: { entry: OutboxEntry; answer: HubMessageOf<"ORDER_ACK"> };
  conflict: Conflict;
  /** Something went wrong that the library lives with: a full disk, a message it could not read, an ERROR. */
  trouble: { error: unknown };
}

export interface NewOrder extends OrderContent {
  posReference: string;
}

export interface Terminal {
  readonly deviceId: string;
  on: Emitter<TerminalEvents>["on"];
  /** Connects, and stays connected until `stop`. Also the way back after an end (replaced, signed out). */
  start(): void;
  /** Ends the session and gives the outbox free; what waits in it goes out at the next start. */
  stop(): Promise<void>;
  useToken(token: string): void;
  connection(): ConnectionState;
  signedIn(): SignedIn | null;
  session(): PosSession | null;
  hubStatus(): HubStatus | null;
  /** The hub's time in ms since 1970. */
  now(): number;
  /** How far the local copy of the shared state is. */
  seq(): number;

  orders(): LocalOrder[];
  order(posReference: string): LocalOrder | undefined;
  tables(): TableState[];
  pluginRecords(): PluginRecord[];
  reservations(): Reservations;
  presence(): Whereabouts[];

  openOrder(order: NewOrder): Mutation;
  /** `edit` gets the content as shown, and changes it or answers another. */
  editOrder(posReference: string, edit: (content: OrderContent) => OrderContent | void): Mutation;
  /** All or nothing: split, merge, move. An order that is not there yet is new. */
  changeOrders(changes: readonly { posReference: string; content: OrderContent }[]): Mutation;
  sendToKitchen(posReference: string, lineIds?: readonly string[]): Mutation;
  kitchenSeen(kitchenTicketId: string, stationId: string): Mutation;
  bump(posReference: string, lineId: string, preparedQuantity: number, kitchenItemStatus?: string): Mutation;
  checkOut(posReference: string): Mutation;
  reopen(posReference: string): Mutation;
  pay(posReference: string, payment: PaymentIntent): Mutation;
  discardOrder(posReference: string, reason?: string): Mutation;

  outbox(): OutboxReport;
  /** The tray: what the hub refused, with both states, until it is retried or discarded. */
  conflicts(): Conflict[];
  /** Sends a refused mutation again on the hub's present state: mine wins where they collide, or what `resolved` says. */
  retry(id: string, resolved?: ReadonlyMap<string, OrderContent>): Mutation;
  discard(id: string): Promise<void>;
  /** Resolves when all is answered but the tray and what stands behind it, and the answers are in the local copy. */
  idle(): Promise<void>;

  /** Rejects with LeaseDeniedError, or with "lease request timed out" after 10 s. Kept until released or lost. */
  acquireLease(
    posReference: string,
    options?: { role?: LeaseRole; takeover?: boolean },
  ): Promise<Omit<Lease, "terminalId" | "userName">>;
  releaseLease(posReference: string): Promise<void>;
  leaseHolder(posReference: string): LeaseHolder | null;
  /** Advisory. Rejects with TerminalRefusal when another holds it. */
  lockTable(tableId: number, ttlMs?: number): Promise<TableState["lock"]>;
  unlockTable(tableId: number): Promise<void>;
  reserveTable(tableId: number): Promise<void>;
  unreserveTable(tableId: number): Promise<void>;
  /** Tells the others where this user is; told again after a reconnect. */
  setPresence(place: { posReference: string } | { tableId: number } | null): void;
}
