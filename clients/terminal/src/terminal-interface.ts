import type { HubMessageOf, LeaseHolder, PluginRecord, PosSession, PrintJobNews, StoredOrder } from "@comanda/protocol";
import type { Emitter } from "./emitter.ts";
import type { ActorGrant, HubCopies } from "./http/hub-copies.ts";
import type { GuestRecords } from "./http/guest-records.ts";
import type { HubHttp } from "./http/hub-http.ts";
import type { OrderCommands } from "./commands/order-commands.ts";
import type { PrintCommands } from "./http/print-commands.ts";
import type { RefundCommands } from "./http/refund-commands.ts";
import type { OrderContent } from "./orders/order-content.ts";
import type { PendingPin } from "./outbox/answers/pending-pins.ts";
import type { Mutation } from "./outbox/sending/intake.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Actor, Intent, OutboxEntry } from "./outbox/entries/outbox-entry.ts";
import type { OutboxStorage } from "./outbox/queue/outbox-storage.ts";
import type { Conflict } from "./outbox/queue/present-conflict.ts";
import type { OutboxState } from "./outbox/reports/report-outbox.ts";
import type { NoteStorage, UnsentWork } from "./outbox/reports/unsent-note.ts";
import type { ConflictSteps } from "./commands/conflict-steps.ts";
import type { ConnectionState } from "./session/connection.ts";
import type { Leases, LostTo, OwnLease } from "./session/leases.ts";
import type { OpenSocket } from "./session/socket.ts";
import type { Place, Whereabouts } from "./session/presence.ts";
import type { TableRequests } from "./session/table-requests.ts";
import type { FormerCheck } from "./state/hub/offers.ts";
import type { ViewEvents } from "./state/reads/view.ts";
import type { Reads } from "./state/reads/reads.ts";
import type { TerminalWorld } from "./world.ts";

export interface TerminalOptions {
  /** `ws://host:port`, or a function that finds it before every connection. */
  url: string | (() => Promise<string>);
  /** The hub's HTTP address; by default that of `url` with `http` for `ws`. */
  httpUrl?: string;
  deviceId: string;
  /** The device had another name before, with the same `storage`. Hubs that know the device adopt the new name. */
  isRenamed?: boolean;
  /** A back-office session id. */
  token: string;
  /** Called when the hub refuses the token. Resolves with a new one, or null if the user has to sign in first. */
  renewToken?: (refusedToken: string) => Promise<string | null>;
  storage: OutboxStorage;
  /** Notes unsent work outside the storage, so that its loss with a cleared storage is noticed. */
  unsentNote?: NoteStorage;
  openSocket: OpenSocket;
  /** False: state of a hub that answered at this address before is dropped, as in a practice. */
  proposes?: boolean;
  /** The application's version, compared with the back-office's minimum; this library's by default. */
  clientVersion?: string;
  world?: TerminalWorld;
}

export type VersionedOptions = TerminalOptions & { clientVersion: string };

export interface SignedIn {
  terminalId: string;
  user: HubMessageOf<"AUTH_OK">["user"];
  minClientVersion: string | null;
  /** The hub could not reach the back-office and used its stored data. */
  offline: boolean;
}

export type HubStatus = Omit<HubMessageOf<"HUB_STATUS">, "type">;

export interface TerminalEvents extends ViewEvents {
  connection: ConnectionState;
  signedIn: SignedIn;
  /** A newer token of this session; use it elsewhere too. */
  token: string;
  /** The hub has another menu version, to be read with `loadMenu`; null if the hub does not name it. */
  menuVersion: string | null;
  actor: Actor | null;
  leases: { posReference: string; holder: LeaseHolder | null };
  /** A kept lease was lost, to another terminal or (null) to none. */
  leaseLost: { posReference: string; by: LostTo };
  presence: readonly Whereabouts[];
  /**
   * Another terminal or the hub (`origin`) has discarded a check, or merged its lines into others (`mergedInto`). After a full
   * SYNC both may be null, and the check may be one that this device removed.
   */
  removedByOther: { posReference: string; origin: string | null; mergedInto: readonly string[] | null };
  session: PosSession;
  hubStatus: HubStatus;
  printJobs: readonly PrintJobNews[];
  terminalJoined: { terminalId: string; userName: string };
  terminalLeft: { terminalId: string; userName: string };
  outbox: OutboxState;
  /** Checks of the hub that answered at this address before, and that this hub lacks. */
  formerChecks: readonly FormerCheck[];
  /** A mutation of an order or the kitchen was acknowledged. */
  acknowledged: { entry: OutboxEntry; answer: HubMessageOf<"ORDER_ACK"> };
  conflict: Conflict;
  /** The list of people who have to enter their PIN again has changed. */
  pendingPins: readonly PendingPin[];
  /** A failure that the library survives: a failed write (UnsavedError), an unreadable message, an ERROR. */
  trouble: { error: unknown };
}

/** Commands and retries in the name of one person, with the approval of another. */
export interface ApprovedCommands extends OrderCommands, RefundCommands {
  retry(id: string, resolved?: ReadonlyMap<string, OrderContent>, first?: readonly Intent[]): Mutation;
  /** Takes the lease of a check from its holder. Rejects with LeaseDeniedError if no manager acts or approves. */
  takeOver(posReference: string): Promise<OwnLease>;
}

export interface Terminal
  extends
    ApprovedCommands,
    ConflictSteps,
    GuestRecords,
    HubCopies,
    PrintCommands,
    Reads,
    TableRequests,
    Pick<Outbox, "conflicts" | "discard" | "idle"> {
  readonly deviceId: string;
  /** The hub's other HTTP routes (customers, credit, recent orders, …), with this terminal's session. */
  readonly http: HubHttp;
  on: Emitter<TerminalEvents>["on"];
  /** Connects, and stays connected until `stop`. Also reconnects after the state "ended" (replaced, signed out). */
  start(): void;
  /** Ends the session and releases the outbox. Unsent mutations are sent after the next start. */
  stop(): Promise<void>;
  /** Sets a newer token of the same user. */
  useToken(token: string): void;
  /** Signs another user in on this device, in a new session. Queued mutations keep their actor. */
  switchUser(token: string): void;
  /** Sets who acts, by a PIN's token, or the session's user for null. Queued mutations keep their actor. */
  useActor(actor: Actor | null): void;
  /** Signs a person in by PIN, also without the back-office. Rejects with TerminalRefusal. */
  signInWithPin(userId: number | string, pin: string): Promise<ActorGrant>;
  /** Returns the acting person, or null before the first sign-in. */
  actor(): Actor | null;
  /** People whose token the hub no longer accepts for their queued mutations; the longest waiting first. */
  pendingPins(): PendingPin[];
  /** Sets the token of a person who has entered the PIN again, and sends their mutations. The acting person stays the same. */
  renewActor(actor: Actor): void;
  /** Sends the queued mutations of `userId` in the name of `actor`, a manager who answers for an absent person. */
  answerFor(userId: Actor["user"]["id"], actor: Actor): void;
  /** Turns mutations that wait for this person's PIN into conflicts, which are decided one by one. */
  giveUpPin(userId: Actor["user"]["id"]): void;
  /** Returns commands approved by a second person, by that person's PIN token. The rights of both count. */
  approvedBy(approval: string): ApprovedCommands;
  connection(): ConnectionState;
  /**
   * Checks the connection, for instance after the device wakes up: connects at once instead of waiting, or pings the hub.
   * Resolves with the round trip in ms, or null without a session or if the hub does not answer within 3 s.
   */
  checkConnection(): Promise<number | null>;
  signedIn(): SignedIn | null;
  session(): PosSession | null;
  hubStatus(): HubStatus | null;
  /** Print jobs of this terminal that failed or may have failed, until they are printed or dismissed. */
  printJobs(): readonly PrintJobNews[];
  /** The hub's time in ms since 1970. */
  now(): number;
  /** The `seq` of the local copy. */
  seq(): number;

  /** The hub's time (ISO 8601) up to which the local copy is complete, or null if there is none. Show it while offline. */
  asOf(): string | null;

  /**
   * Checks of another hub that answered at this address before, and that this one lacks. A manager decides about them on the
   * hub. They are kept for a week, until the hub has them, or until `forgetFormerChecks`, which keeps waiting ones.
   */
  formerChecks(): FormerCheck[];
  forgetFormerChecks(): void;
  /**
   * An open check as this terminal held it before the hub was restored from a backup; undefined if it is unchanged. Changes
   * with `formerChecks`.
   */
  formerOrder(posReference: string): StoredOrder | undefined;

  pluginRecords(): PluginRecord[];
  presence(): Whereabouts[];

  outbox(): OutboxState;
  /** Reports unsent mutations to the hub at once if the last report differs, for a page that closes. `stop` does so too. */
  reportOutbox(): void;
  /** Work that was unsent when the storage was cleared and may not have reached the hub, or null. */
  lostWork(): UnsentWork | null;
  /** Confirms that a person has seen the lost work. It is no longer reported to the hub. */
  forgetLostWork(): void;

  acquireLease: Leases["acquire"];
  releaseLease: Leases["release"];
  leaseHolder: Leases["holder"];
  /** Shows other terminals where this user is, also after a reconnect. */
  setPresence(place: Place | null): void;
}
