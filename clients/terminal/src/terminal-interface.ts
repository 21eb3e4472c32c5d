import type { HubMessageOf, LeaseHolder, OutboxReport, PluginRecord, PosSession, TableState } from "@comanda/protocol";
import type { Emitter } from "./emitter.ts";
import type { OrderCommands } from "./orders/order-commands.ts";
import type { LocalOrder } from "./orders/replay-order.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { OutboxEntry } from "./outbox/outbox-entry.ts";
import type { OutboxStorage } from "./outbox/outbox-storage.ts";
import type { Conflict } from "./outbox/present-conflict.ts";
import type { ConnectionState } from "./session/connection.ts";
import type { Leases, LostTo } from "./session/leases.ts";
import type { OpenSocket } from "./session/socket.ts";
import type { Place, Whereabouts } from "./session/presence.ts";
import type { TableRequests } from "./session/table-requests.ts";
import type { Reservations } from "./state/read-reservations.ts";
import type { TerminalWorld } from "./world.ts";

export interface TerminalOptions {
  /** `ws://host:port`, or a function that finds it before every connection. */
  url: string | (() => Promise<string>);
  deviceId: string;
  /** A back-office session id. */
  token: string;
  /** Called when the hub refuses the token; answers a new one, or null when the user has to sign in first. */
  renewToken?: (refusedToken: string) => Promise<string | null>;
  storage: OutboxStorage;
  openSocket: OpenSocket;
  /** The application's version, compared with the back-office's minimum; this library's by default. */
  clientVersion?: string;
  world?: TerminalWorld;
}

export interface SignedIn {
  terminalId: string;
  user: HubMessageOf<"AUTH_OK">["user"];
  minClientVersion: string | null;
  /** The hub could not reach the back-office and used what it knew. */
  offline: boolean;
}

export type HubStatus = Omit<HubMessageOf<"HUB_STATUS">, "type">;

export interface TerminalEvents {
  connection: ConnectionState;
  signedIn: SignedIn;
  /** A newer token of this session; use it elsewhere too. */
  token: string;
  /** These orders look different now, or are gone. */
  orders: readonly string[];
  tables: readonly TableState[];
  plugins: readonly PluginRecord[];
  /** Records or phases changed. */
  reservations: Reservations;
  leases: { posReference: string; holder: LeaseHolder | null };
  /** A kept lease is another terminal's now, or nobody's. */
  leaseLost: { posReference: string; by: LostTo };
  presence: readonly Whereabouts[];
  session: PosSession;
  hubStatus: HubStatus;
  terminalJoined: { terminalId: string; userName: string };
  terminalLeft: { terminalId: string; userName: string };
  outbox: OutboxReport;
  acknowledged: { entry: OutboxEntry; answer: HubMessageOf<"ORDER_ACK"> };
  conflict: Conflict;
  /** A failure that the library survives: a full disk, an unreadable message, an ERROR. */
  trouble: { error: unknown };
}

export interface Terminal
  extends OrderCommands, TableRequests, Pick<Outbox, "conflicts" | "retry" | "discard" | "idle"> {
  readonly deviceId: string;
  on: Emitter<TerminalEvents>["on"];
  /** Connects, and stays connected until `stop`. Also the way back after an end (replaced, signed out). */
  start(): void;
  /** Ends the session and releases the outbox; what waits in it is sent after the next start. */
  stop(): Promise<void>;
  useToken(token: string): void;
  connection(): ConnectionState;
  signedIn(): SignedIn | null;
  session(): PosSession | null;
  hubStatus(): HubStatus | null;
  /** The hub's time in ms since 1970. */
  now(): number;
  /** The `seq` of the local copy. */
  seq(): number;

  orders(): LocalOrder[];
  order(posReference: string): LocalOrder | undefined;
  tables(): TableState[];
  pluginRecords(): PluginRecord[];
  reservations(): Reservations;
  presence(): Whereabouts[];

  outbox(): OutboxReport;

  acquireLease: Leases["acquire"];
  releaseLease: Leases["release"];
  leaseHolder: Leases["holder"];
  /** Shows the other terminals where this user is, also after a reconnect. */
  setPresence(place: Place | null): void;
}
