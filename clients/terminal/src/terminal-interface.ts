import type { HubMessageOf, LeaseHolder, PluginRecord, PosSession, PrintJobNews, StoredOrder } from "@comanda/protocol";
import type { Emitter } from "./emitter.ts";
import type { GivenActor, HubCopies } from "./http/hub-copies.ts";
import type { GuestRecords } from "./http/guest-records.ts";
import type { HubHttp } from "./http/hub-http.ts";
import type { OrderCommands } from "./commands/order-commands.ts";
import type { PrintCommands } from "./http/print-commands.ts";
import type { RefundCommands } from "./http/refund-commands.ts";
import type { OrderContent } from "./orders/order-content.ts";
import type { AwaitedPin } from "./outbox/answers/awaited-pins.ts";
import type { Mutation } from "./outbox/sending/intake.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Actor, OutboxEntry } from "./outbox/entries/outbox-entry.ts";
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
  /** The device had another name before, with the same `storage`: hubs that know it go on under the new one. */
  isRenamed?: boolean;
  /** A back-office session id. */
  token: string;
  /** Called when the hub refuses the token; answers a new one, or null when the user has to sign in first. */
  renewToken?: (refusedToken: string) => Promise<string | null>;
  storage: OutboxStorage;
  /** Keeps what waits beside the storage, so that a storage that was emptied is not taken for work that has arrived. */
  unsentNote?: NoteStorage;
  openSocket: OpenSocket;
  /** False: what was held of a hub that stood at this address before is forgotten, as in a practice. */
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
  /** The hub could not reach the back-office and used what it knew. */
  offline: boolean;
}

export type HubStatus = Omit<HubMessageOf<"HUB_STATUS">, "type">;

export interface TerminalEvents extends ViewEvents {
  connection: ConnectionState;
  signedIn: SignedIn;
  /** A newer token of this session; use it elsewhere too. */
  token: string;
  /** The hub has another menu than `loadMenu` has read; null: it does not say which. */
  menuVersion: string | null;
  actor: Actor | null;
  leases: { posReference: string; holder: LeaseHolder | null };
  /** A kept lease is another terminal's now, or nobody's. */
  leaseLost: { posReference: string; by: LostTo };
  presence: readonly Whereabouts[];
  /**
   * Another terminal, or the hub (`origin`), has discarded a check, or put its lines on others (`mergedInto`). After a full
   * SYNC, which may name one that this device removed, both are null.
   */
  removedByOther: { posReference: string; origin: string | null; mergedInto: readonly string[] | null };
  session: PosSession;
  hubStatus: HubStatus;
  printJobs: readonly PrintJobNews[];
  terminalJoined: { terminalId: string; userName: string };
  terminalLeft: { terminalId: string; userName: string };
  outbox: OutboxState;
  /** What this terminal held of the hub that stood here before, as far as this one does not have it. */
  formerChecks: readonly FormerCheck[];
  /** A mutation of an order or the kitchen. */
  acknowledged: { entry: OutboxEntry; answer: HubMessageOf<"ORDER_ACK"> };
  conflict: Conflict;
  /** Somebody has to enter their PIN again, or has done so. */
  awaitedPins: readonly AwaitedPin[];
  /** A failure that the library survives: a storage that does not write (UnsavedError), an unreadable message, an ERROR. */
  trouble: { error: unknown };
}

/** Commands, and retrying, in the name of one person with the approval of another. */
export interface ApprovedCommands extends OrderCommands, RefundCommands {
  retry(id: string, resolved?: ReadonlyMap<string, OrderContent>): Mutation;
  /**
   * Takes the lease of a check from its holder. Rejects with LeaseDeniedError when no manager acts or approves.
   */
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
  /** Customers, credit, recent orders and the rest of what the hub serves over HTTP, with this terminal's session. */
  readonly http: HubHttp;
  on: Emitter<TerminalEvents>["on"];
  /** Connects, and stays connected until `stop`. Also the way back after an end (replaced, signed out). */
  start(): void;
  /** Ends the session and releases the outbox; what waits in it is sent after the next start. */
  stop(): Promise<void>;
  /** A newer token of the same user. */
  useToken(token: string): void;
  /** Somebody else signs in on this device: a new session. What was queued before stays its actor's. */
  switchUser(token: string): void;
  /** Who acts from now on, by the token for a PIN; null: the user of the session. What was queued before stays its actor's. */
  useActor(actor: Actor | null): void;
  /** Lets somebody act with the PIN that they set, also while the back-office is away. Rejects with TerminalRefusal. */
  signInWithPin(userId: number | string, pin: string): Promise<GivenActor>;
  /** The person whose work it is that is done now; null before the first sign-in. */
  actor(): Actor | null;
  /** Whose token the hub no longer takes while what they did waits for it; the longest waiting first. */
  awaitedPins(): AwaitedPin[];
  /** A newer token of somebody who has entered their PIN again: what they did is sent in its order; who acts stays. */
  renewActor(actor: Actor): void;
  /** What `userId` did and waits is sent as that of `actor`, who answers for it: a manager's act for somebody who is gone. */
  answerFor(userId: Actor["user"]["id"], actor: Actor): void;
  /** Nobody will enter that PIN: what waits for it becomes conflicts, to be decided one by one. */
  giveUpPin(userId: Actor["user"]["id"]): void;
  /** The same commands with the approval of a second person, by the token for their PIN: the rights of either count. */
  approvedBy(approval: string): ApprovedCommands;
  connection(): ConnectionState;
  /**
   * For a device that wakes up, and for a look at the line: connects at once instead of waiting, or asks the hub for a sign
   * of life. Resolves with the round trip in ms; null without a session, also when the hub did not answer within 3 s.
   */
  checkConnection(): Promise<number | null>;
  signedIn(): SignedIn | null;
  session(): PosSession | null;
  hubStatus(): HubStatus | null;
  /** What this terminal has had printed and did not come out, or may not have: until it did, or somebody decides. */
  printJobs(): readonly PrintJobNews[];
  /** The hub's time in ms since 1970. */
  now(): number;
  /** The `seq` of the local copy. */
  seq(): number;

  /** The hub's time (ISO 8601) up to which the local copy is complete; null when there is none. Offline: show it. */
  asOf(): string | null;

  /**
   * Checks of another hub that answered at this address before, and that this one lacks: a manager is asked to take them
   * over. They are kept for a week, until the hub has them, or until `forgetFormerChecks`, which keeps those that wait.
   */
  formerChecks(): FormerCheck[];
  forgetFormerChecks(): void;
  /**
   * An open check as this terminal held it before the hub went back to a backup; undefined where nothing was different.
   * Changes with `formerChecks`.
   */
  formerOrder(posReference: string): StoredOrder | undefined;

  pluginRecords(): PluginRecord[];
  presence(): Whereabouts[];

  outbox(): OutboxState;
  /**
   * Tells the hub at once what waits, where its last report differs: for a page that closes. `stop` does so by itself.
   */
  reportOutbox(): void;
  /** What waited when the storage was emptied, and may not have reached the hub; null where nothing did. */
  lostWork(): UnsentWork | null;
  /** Somebody has taken notice of it: it is not reported to the hub any more. */
  forgetLostWork(): void;

  acquireLease: Leases["acquire"];
  releaseLease: Leases["release"];
  leaseHolder: Leases["holder"];
  /** Shows the other terminals where this user is, also after a reconnect. */
  setPresence(place: Place | null): void;
}
