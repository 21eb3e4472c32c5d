import { z } from "zod";
import { BackOfficeTax, Rounding } from "../back-office/bootstrap.ts";
import { plainText, PosReference } from "../basics/fields.ts";
import { ItemState } from "../orders/kitchen.ts";
import { StoredOrder } from "../orders/orders.ts";
import { TableState } from "../floor/tables.ts";

// The messages that a restaurant's hub and its chain's headquarters exchange over NATS (protocol/spec/CHAIN.md).

/** Envelope version. Headquarters that are older than a hub set its batches aside and ingest them later. */
export const CHAIN_VERSION = 1;

/** Maximum size of a batch, compressed and uncompressed. NATS itself rejects messages of 1 MiB. */
export const MAX_BATCH_BYTES = 256 * 1024;
export const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;
export const MAX_BATCH_OBJECTS = 200;

/** Assigned by headquarters. Never the restaurant's name, because it is part of NATS subjects. */
export const RestaurantId = z.string().regex(/^[a-z0-9]{4,20}$/, "4 to 20 of a-z and 0-9");

/** The subjects of one restaurant. Every subject of the chain is built here. */
export const chainSubjects = {
  stream: "UP",
  /** The subjects that the stream stores: the batches of all restaurants. */
  allBatches: "up.*.sync",
  batches: (restaurant: string): string => `up.${restaurant}.sync`,
  /** Returns a hub's last batch in the stream. */
  lastBatch: (restaurant: string): string => `$JS.API.DIRECT.GET.UP.up.${restaurant}.sync`,
  /** Returns the document with the proposals for a restaurant. */
  desired: (restaurant: string): string => `$JS.API.DIRECT.GET.KV_desired.$KV.desired.${restaurant}`,
  beat: (restaurant: string): string => `beat.${restaurant}`,
  allBeats: "beat.*",
  askCursor: (restaurant: string): string => `ask.${restaurant}.cursor`,
  allCursorQuestions: "ask.*.cursor",
  askLost: (restaurant: string): string => `ask.${restaurant}.lost`,
  allLostQuestions: "ask.*.lost",
  /** Everything that headquarters send to a restaurant. */
  down: (restaurant: string): string => `dn.${restaurant}.>`,
  cursor: (restaurant: string): string => `dn.${restaurant}.cursor`,
  resend: (restaurant: string): string => `dn.${restaurant}.resend`,
  superseded: (restaurant: string): string => `dn.${restaurant}.superseded`,
  poke: (restaurant: string): string => `dn.${restaurant}.poke`,
  question: (restaurant: string, what: ChainQuestion): string => `dn.${restaurant}.ask.${what}`,
  inbox: (restaurant: string): string => `_INBOX.${restaurant}`,
} as const;

/** Returns the restaurant that a subject belongs to, or null. */
export function restaurantOf(subject: string): string | null {
  const name = subject.split(".")[1];
  return name !== undefined && RestaurantId.safeParse(name).success ? name : null;
}

const Seq = z.int().nonnegative();
const Instant = z.iso.datetime();

/** A position in a hub's history. */
export const ChainPlace = z.object({ epoch: plainText(64), seq: Seq });
export type ChainPlace = z.infer<typeof ChainPlace>;

/** The headers of a batch: the envelope version, and the position that headquarters reach by applying it (`writeSentPlace`). */
export const chainHeaders = { version: "Comanda", place: "Place" } as const;

export interface SentPlace extends ChainPlace {
  factId: number;
}

/** The header's value for a part of a full transfer, which moves headquarters to no position. */
const NO_PLACE = "full";

/** Returns the value of the header `Place`. `null` is a part of a full transfer that is not its end. */
export function writeSentPlace(place: SentPlace | null): string {
  return place === null ? NO_PLACE : `${place.epoch} ${place.seq} ${place.factId}`;
}

export function readSentPlace(text: string): SentPlace | null {
  const [epoch = "", seq, factId] = text.split(" ");
  const read = ChainPlace.extend({ factId: Seq }).safeParse({ epoch, seq: Number(seq), factId: Number(factId) });
  return read.success ? read.data : null;
}

/** A check's current state, without the guest's personal data unless the restaurant shares it. */
const ChainOrder = z.looseObject({ seq: Seq, order: StoredOrder });
export type ChainOrder = z.infer<typeof ChainOrder>;

/** A check that is too large for a message. Headquarters have to request it from the hub. */
const TooLarge = z.object({ seq: Seq, posReference: PosReference, tooLarge: z.literal(true), bytes: z.int() });

/** A check that was discarded or merged into others, with its last content. */
const ChainRemoval = z.looseObject({
  seq: Seq,
  posReference: PosReference,
  version: z.int().positive(),
  mergedInto: z.array(PosReference).optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
  at: Instant,
  last: StoredOrder.optional(),
});
export type ChainRemoval = z.infer<typeof ChainRemoval>;

/** An event without a `seq`, such as one of a shift, an outage, a backup, a restore or a proposal. */
export const ChainFact = z.looseObject({
  id: z.int().positive(),
  at: Instant,
  kind: plainText(40).min(1),
  body: z.record(z.string(), z.unknown()),
});
export type ChainFact = z.infer<typeof ChainFact>;

/** A business day as the hub counts it. Headquarters compare it with their own digest. Amounts in whole cents. */
export const ChainDigest = z.object({
  day: z.iso.date(),
  paid: z.int().nonnegative(),
  totalCents: z.int(),
  removed: z.int().nonnegative(),
  /** Hexadecimal SHA-256 over one line `reference version` per check, sorted by reference. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ChainDigest = z.infer<typeof ChainDigest>;

/** The paid checks of a business day, in any order, and the number of checks discarded on that day. */
export interface ChainDay {
  paid: { posReference: string; version: number; totalCents: number }[];
  removed: number;
}

/** Builds a day's digest, identically at the hub and at headquarters. `sha256` hashes a text to hexadecimal. */
export function chainDigest(day: string, { paid, removed }: ChainDay, sha256: (text: string) => string): ChainDigest {
  const lines = paid.map(({ posReference, version }) => `${posReference} ${version}\n`).toSorted(inOrder);
  return {
    day,
    paid: paid.length,
    totalCents: paid.reduce((sum, { totalCents }) => sum + totalCents, 0),
    removed,
    hash: sha256(lines.join("")),
  };
}

const inOrder = (one: string, other: string): number => (one < other ? -1 : 1);

const FIRST_INSTANT = Date.UTC(2000, 0);
const LAST_INSTANT = Date.UTC(2200, 0);

/** Parses ISO 8601 into ms since 1970; without a zone it is UTC. Null if it is no time from 2000 to 2199. */
export function instantOf(text: unknown): number | null {
  if (typeof text !== "string" || !/^\d{4}-/.test(text)) return null;
  const at = Date.parse(/[T ][\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : text);
  return at >= FIRST_INSTANT && at < LAST_INSTANT ? at : null;
}

/**
 * Returns when a check was paid, in ms since 1970: `paidAt` if the hub wrote it, else its last payment, else its last change.
 * Null if it is not paid, or if none of these is a valid time.
 */
export function chainPaidAt({ snapshot, updatedAt }: Pick<StoredOrder, "snapshot" | "updatedAt">): number | null {
  if (snapshot.status !== "paid" && snapshot.status !== "closed") return null;
  const times = (snapshot.tenders ?? []).flatMap(({ takenAt }) => instantOf(takenAt) ?? []);
  const paidAt = instantOf(snapshot["paidAt"]) ?? (times.length > 0 ? Math.max(...times) : null);
  return paidAt ?? instantOf(updatedAt) ?? instantOf(snapshot.updatedAt);
}

/** The taxes and rounding of a menu's prices, needed to compute what voids and discounts took off a check. */
const ChainPricing = z.object({ taxes: z.array(BackOfficeTax), rounding: Rounding.optional() });
export type ChainPricing = z.infer<typeof ChainPricing>;

/**
 * What a hub sends: everything that changed after `from` up to `to`, the newest state of each object, in order of `seq`. A
 * batch of facts alone has `from` = `to`, because facts are counted by their own `id`.
 *
 * A full transfer holds the restaurant's whole history of the days it covers, newest first. Its first batch ends at `cut`. Each
 * next batch ends where the previous one began (its `to` is the previous `from`), and the last one (`end`) begins at 0.
 * Changes made during the transfer have a `seq` above `cut` and follow it. A different `cut` means a new transfer.
 */
export const ChainBatch = z.looseObject({
  v: z.literal(CHAIN_VERSION),
  r: RestaurantId,
  hubId: plainText(64),
  generation: z.int().nonnegative(),
  epoch: plainText(64),
  formerEpochs: z.array(ChainPlace).max(20),
  /** Exclusive. */
  from: Seq,
  /** Inclusive. */
  to: Seq,
  full: z.enum(["part", "end"]).optional(),
  /** In a full transfer: the position of headquarters once the transfer is complete. */
  cut: Seq.optional(),
  /** In a full transfer: checks closed before this time are left out. */
  since: Instant.optional(),
  /** Some changes made up to `at` follow in later batches. */
  more: z.literal(true).optional(),
  /** The time of this state, by the hub's clock. */
  at: Instant,
  clock: z.object({ isTrusted: z.boolean(), zone: z.string() }),
  hub: z.object({ version: z.string(), menuVersion: z.string().optional() }),
  /** Absent until the hub has read its menu. An invalid value counts as absent. */
  pricing: ChainPricing.optional().catch(undefined),
  orders: z.array(z.union([TooLarge, ChainOrder])),
  removed: z.array(ChainRemoval),
  tables: z.array(z.looseObject({ seq: Seq, table: TableState })),
  items: z.array(z.looseObject({ seq: Seq, item: ItemState })),
  /** Id of the fact before the first of `facts`, or of the last one sent. A receiver without that fact has missed some. */
  factsAfter: Seq,
  facts: z.array(ChainFact),
  digest: ChainDigest.optional(),
});
export type ChainBatch = z.infer<typeof ChainBatch>;

/** How a hub identifies itself when it requests headquarters' cursor. For another hub's history they answer `noCursor`. */
export const ChainSender = z.object({ hubId: z.string(), generation: z.int().nonnegative(), epoch: z.string() });
export type ChainSender = z.infer<typeof ChainSender>;

/**
 * How far headquarters' database has a restaurant's history. It is the answer to a cursor request, the announcement
 * `dn.<r>.cursor`, and the position to resend from (`dn.<r>.resend`).
 */
export const ChainCursor = z.object({
  generation: z.int().nonnegative(),
  epoch: z.string(),
  seq: Seq,
  factId: z.int().nonnegative(),
  isFullDone: z.boolean(),
  /** Business days whose digest differs at headquarters. The hub sends these digests again. */
  differing: z.array(z.iso.date()).optional(),
});
export type ChainCursor = z.infer<typeof ChainCursor>;

/** The cursor for a restaurant or hub of which headquarters have no data. */
export const noCursor: ChainCursor = { generation: 0, epoch: "", seq: 0, factId: 0, isFullDone: false };

/** Asks which checks headquarters know and the hub has lost, starting after the first `after` of them. */
export const ChainLostQuestion = ChainSender.extend({ after: z.int().nonnegative() });
export type ChainLostQuestion = z.infer<typeof ChainLostQuestion>;

/**
 * A page of the answer: each check with the hub whose history it is from. `check` is the last state that headquarters had
 * (`StoredOrder`), or its removal (`OrderRemoval`). `next` is the `after` of the next request, or null at the end.
 */
export const ChainLost = z.object({
  checks: z.array(z.object({ hubId: z.string(), check: z.unknown() })),
  next: z.int().nonnegative().nullable(),
});
export type ChainLost = z.infer<typeof ChainLost>;

/** `dn.<r>.superseded`: a history with this generation has replaced the hub's. A hub with a lower generation stops sending. */
export const ChainSuperseded = z.object({ generation: z.int().nonnegative() });
export type ChainSuperseded = z.infer<typeof ChainSuperseded>;

/** The heartbeat of a hub: sent every 10 s and when its content changes; at most 2 KB. */
export const ChainBeat = z.looseObject({
  v: z.literal(CHAIN_VERSION),
  at: Instant,
  version: z.string(),
  startedAt: Instant,
  seq: Seq,
  status: z.enum(["ok", "degraded"]),
  reasons: z.array(z.string()).max(20),
  sessionOpen: z.boolean(),
  terminals: z.object({ connected: z.int(), away: z.int() }),
  openChecks: z.int(),
  openTotal: z.number(),
  paidChecks: z.int(),
  paidTotal: z.number(),
  /** Paid checks that are not in the back-office yet. */
  unsent: z.int(),
  unsentSince: Instant.nullable(),
  kitchen: z.object({ open: z.int(), late: z.int() }),
  /** Remaining fiscal numbers by type. */
  fiscal: z.array(z.object({ type: z.string(), remaining: z.int(), expiresOn: z.string().nullable() })).max(20),
  lastBackupAt: Instant.nullable(),
  freeDiskBytes: z.number().nullable(),
  lossesOpen: z.int(),
  /** Offset of the hub's clock from trusted time; null if unknown. */
  clockOffMs: z.number().nullable(),
});
export type ChainBeat = z.infer<typeof ChainBeat>;

/** The requests that headquarters may send to a hub. All of them are read-only. */
export const chainQuestions = ["overview", "doctor", "logs", "check", "history"] as const;
export type ChainQuestion = (typeof chainQuestions)[number];

/** `dn.<r>.ask.<what>`: `by` is recorded in the hub's audit log. `check` and `history` need `posReference`. */
export const ChainQuestionBody = z.object({ by: plainText(120).min(1), posReference: PosReference.optional() });
export type ChainQuestionBody = z.infer<typeof ChainQuestionBody>;

/** An answer to a request of headquarters; `error` says why the hub refused it. */
export const ChainAnswer = z.union([
  z.object({ ok: z.literal(true), body: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), error: z.string() }),
]);
export type ChainAnswer = z.infer<typeof ChainAnswer>;

/** Shown once by headquarters; valid for 10 minutes and one hub. Its 8 characters exclude those that are easily confused. */
export const EnrolmentCode = z
  .string()
  .transform((code) => code.toUpperCase().replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^[A-HJ-NP-Z2-9]{8}$/, "8 letters and digits"));

/** POST /enroll of headquarters: `publicKey` is the hub's nkey; the seed stays at the hub. */
export const Enrolment = z.strictObject({
  code: EnrolmentCode,
  publicKey: z.string().regex(/^U[A-Z2-7]{55}$/, "the public nkey of a user"),
  hubId: plainText(64).min(1),
  hubName: plainText(120),
  version: plainText(40),
});
export type Enrolment = z.infer<typeof Enrolment>;

/** A hub's membership in its chain. The hub stores it together with the encrypted seed of its key. */
export const Enrolled = z.object({
  restaurantId: RestaurantId,
  restaurantName: z.string(),
  chainName: z.string(),
  /** nats://, tls:// or wss://. */
  url: z.string(),
  /** The certificate authority of headquarters in PEM, if they use a private one. */
  ca: z.string().optional(),
});
export type Enrolled = z.infer<typeof Enrolled>;
