import { z } from "zod";
import { BackOfficeTax, Rounding } from "../back-office/bootstrap.ts";
import { plainText, PosReference } from "../basics/fields.ts";
import { ItemState } from "../orders/kitchen.ts";
import { StoredOrder } from "../orders/orders.ts";
import { TableState } from "../floor/tables.ts";

// What a restaurant's hub and its chain's headquarters say to each other over NATS (protocol/spec/CHAIN.md).

/** The version of the envelope: headquarters that are older than a hub set its batches aside and take them later. */
export const CHAIN_VERSION = 1;

/** The most that a batch is allowed to hold, compressed and unpacked. NATS itself refuses 1 MiB. */
export const MAX_BATCH_BYTES = 256 * 1024;
export const MAX_UNPACKED_BYTES = 8 * 1024 * 1024;
export const MAX_BATCH_OBJECTS = 200;

/** Given by headquarters; never a name, because it is part of subjects. */
export const RestaurantId = z.string().regex(/^[a-z0-9]{4,20}$/, "4 to 20 of a-z and 0-9");

/** The subjects of one restaurant. Each subject of the chain is built here. */
export const chainSubjects = {
  stream: "UP",
  /** What the stream keeps: the batches of all restaurants. */
  allBatches: "up.*.sync",
  batches: (restaurant: string): string => `up.${restaurant}.sync`,
  /** Answers a hub with its last batch in the stream. */
  lastBatch: (restaurant: string): string => `$JS.API.DIRECT.GET.UP.up.${restaurant}.sync`,
  /** Answers a hub with the document of what is proposed to it. */
  desired: (restaurant: string): string => `$JS.API.DIRECT.GET.KV_desired.$KV.desired.${restaurant}`,
  beat: (restaurant: string): string => `beat.${restaurant}`,
  allBeats: "beat.*",
  askCursor: (restaurant: string): string => `ask.${restaurant}.cursor`,
  allCursorQuestions: "ask.*.cursor",
  askLost: (restaurant: string): string => `ask.${restaurant}.lost`,
  allLostQuestions: "ask.*.lost",
  /** All that headquarters say to a restaurant. */
  down: (restaurant: string): string => `dn.${restaurant}.>`,
  cursor: (restaurant: string): string => `dn.${restaurant}.cursor`,
  resend: (restaurant: string): string => `dn.${restaurant}.resend`,
  superseded: (restaurant: string): string => `dn.${restaurant}.superseded`,
  poke: (restaurant: string): string => `dn.${restaurant}.poke`,
  question: (restaurant: string, what: ChainQuestion): string => `dn.${restaurant}.ask.${what}`,
  inbox: (restaurant: string): string => `_INBOX.${restaurant}`,
} as const;

/** The restaurant that a subject speaks of, or null. */
export function restaurantOf(subject: string): string | null {
  const name = subject.split(".")[1];
  return name !== undefined && RestaurantId.safeParse(name).success ? name : null;
}

const Seq = z.int().nonnegative();
const Instant = z.iso.datetime();

/** A place in a hub's history. */
export const ChainPlace = z.object({ epoch: plainText(64), seq: Seq });
export type ChainPlace = z.infer<typeof ChainPlace>;

/** The headers of a batch: the version of the envelope, and where it leaves the one who has applied it (`writeSentPlace`). */
export const chainHeaders = { version: "Comanda", place: "Place" } as const;

export interface SentPlace extends ChainPlace {
  factId: number;
}

/** A part of a full transfer leaves nobody anywhere. */
const NO_PLACE = "full";

/** The header `Place`; `null` for a part of a full transfer that is not its end. */
export function writeSentPlace(place: SentPlace | null): string {
  return place === null ? NO_PLACE : `${place.epoch} ${place.seq} ${place.factId}`;
}

export function readSentPlace(text: string): SentPlace | null {
  const [epoch = "", seq, factId] = text.split(" ");
  const read = ChainPlace.extend({ factId: Seq }).safeParse({ epoch, seq: Number(seq), factId: Number(factId) });
  return read.success ? read.data : null;
}

/** A check as it stands, without what names a guest unless the restaurant shares it. */
const ChainOrder = z.looseObject({ seq: Seq, order: StoredOrder });
export type ChainOrder = z.infer<typeof ChainOrder>;

/** What is too large for a message: to be asked of the hub. */
const TooLarge = z.object({ seq: Seq, posReference: PosReference, tooLarge: z.literal(true), bytes: z.int() });

/** A check that was discarded, or merged into others, with what it held. */
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

/** What has no `seq`: what became of a shift, an outage, a backup, a restore, a proposal. */
export const ChainFact = z.looseObject({
  id: z.int().positive(),
  at: Instant,
  kind: plainText(40).min(1),
  body: z.record(z.string(), z.unknown()),
});
export type ChainFact = z.infer<typeof ChainFact>;

/** What a day was, by the hub: headquarters compare it with theirs. Amounts in whole cents. */
export const ChainDigest = z.object({
  day: z.iso.date(),
  paid: z.int().nonnegative(),
  totalCents: z.int(),
  removed: z.int().nonnegative(),
  /** Hexadecimal SHA-256 over `reference version` of each check, in order of reference, a line each. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ChainDigest = z.infer<typeof ChainDigest>;

/** The paid checks of a business day, in any order, and how many were discarded on it. */
export interface ChainDay {
  paid: { posReference: string; version: number; totalCents: number }[];
  removed: number;
}

/** The same here and there. `sha256`: of a text, hexadecimal. */
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

/** When that was, ms since 1970; null for what is no time of a restaurant's life in ISO 8601. Without a zone it is in UTC. */
export function instantOf(text: unknown): number | null {
  if (typeof text !== "string" || !/^\d{4}-/.test(text)) return null;
  const at = Date.parse(/[T ][\d:.]+$/.test(text) ? `${text.replace(" ", "T")}Z` : text);
  return at >= FIRST_INSTANT && at < LAST_INSTANT ? at : null;
}

/**
 * When a check was paid, ms since 1970: as the hub has written it; else its last payment, or its last change. Null where it is
 * not paid, or nothing of that is a time.
 */
export function chainPaidAt({ snapshot, updatedAt }: Pick<StoredOrder, "snapshot" | "updatedAt">): number | null {
  if (snapshot.status !== "paid" && snapshot.status !== "closed") return null;
  const taken = (snapshot.tenders ?? []).flatMap(({ takenAt }) => instantOf(takenAt) ?? []);
  const paidAt = instantOf(snapshot["paidAt"]) ?? (taken.length > 0 ? Math.max(...taken) : null);
  return paidAt ?? instantOf(updatedAt) ?? instantOf(snapshot.updatedAt);
}

/** By what a menu is priced: what was taken off a check is counted by it. */
const ChainPricing = z.object({ taxes: z.array(BackOfficeTax), rounding: Rounding.optional() });
export type ChainPricing = z.infer<typeof ChainPricing>;

/**
 * What a hub sends: everything that changed after `from` up to `to`, the newest state of each object, in order of `seq`. A
 * batch with facts alone has `from` = `to`: facts are counted by their own `id`.
 *
 * A full transfer holds all that the restaurant has of the days that it sends, newest first: the first batch ends at `cut`,
 * each next one ends where the one before began (its `to` is that one's `from`), and the last one, `end`, begins at 0. What
 * changes meanwhile has a `seq` above `cut` and follows it. Another `cut` is another transfer, from its beginning.
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
  /** Of a full transfer: where its end leaves headquarters. */
  cut: Seq.optional(),
  /** Of a full transfer: what was closed before it is not in it. */
  since: Instant.optional(),
  /** Of what had changed by `at` some is still to come. */
  more: z.literal(true).optional(),
  /** When this was how things stood, by the hub's clock. */
  at: Instant,
  clock: z.object({ isTrusted: z.boolean(), zone: z.string() }),
  hub: z.object({ version: z.string(), menuVersion: z.string().optional() }),
  /** Absent before the hub has read its menu; what is none is as if it were absent. */
  pricing: ChainPricing.optional().catch(undefined),
  orders: z.array(z.union([TooLarge, ChainOrder])),
  removed: z.array(ChainRemoval),
  tables: z.array(z.looseObject({ seq: Seq, table: TableState })),
  items: z.array(z.looseObject({ seq: Seq, item: ItemState })),
  /** The fact before the first of `facts`, or the last one sent: whoever does not have it lacks some. */
  factsAfter: Seq,
  facts: z.array(ChainFact),
  digest: ChainDigest.optional(),
});
export type ChainBatch = z.infer<typeof ChainBatch>;

/** What a hub asks for headquarters' cursor with: of another hub's history they answer `noCursor`. */
export const ChainWho = z.object({ hubId: z.string(), generation: z.int().nonnegative(), epoch: z.string() });
export type ChainWho = z.infer<typeof ChainWho>;

/**
 * How far headquarters have a restaurant, as their database says: the answer to a question for it, what they announce
 * (`dn.<r>.cursor`), and from where they want everything again (`dn.<r>.resend`).
 */
export const ChainCursor = z.object({
  generation: z.int().nonnegative(),
  epoch: z.string(),
  seq: Seq,
  factId: z.int().nonnegative(),
  isFullDone: z.boolean(),
  /** Business days that are otherwise here: the hub says once more what each was. */
  differing: z.array(z.iso.date()).optional(),
});
export type ChainCursor = z.infer<typeof ChainCursor>;

/** Of a restaurant, or a hub, that headquarters have nothing of. */
export const noCursor: ChainCursor = { generation: 0, epoch: "", seq: 0, factId: 0, isFullDone: false };

/** Which checks headquarters know that the hub has lost, after the first `after` of them. */
export const ChainLostQuestion = ChainWho.extend({ after: z.int().nonnegative() });
export type ChainLostQuestion = z.infer<typeof ChainLostQuestion>;

/**
 * A page of the answer: of whose history each was, and the check as headquarters had it last (`StoredOrder`), or that it was
 * discarded or merged (`OrderRemoval`). `next`: what to ask for after it; null at the end.
 */
export const ChainLost = z.object({
  checks: z.array(z.object({ hubId: z.string(), check: z.unknown() })),
  next: z.int().nonnegative().nullable(),
});
export type ChainLost = z.infer<typeof ChainLost>;

/** `dn.<r>.superseded`: a history with this generation has taken the restaurant over; who has a lower one is to be silent. */
export const ChainSuperseded = z.object({ generation: z.int().nonnegative() });
export type ChainSuperseded = z.infer<typeof ChainSuperseded>;

/** Every 10 s, and at once when something of it changes: at most 2 KB. */
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
  /** Paid checks that the back-office does not have. */
  unsent: z.int(),
  unsentSince: Instant.nullable(),
  kitchen: z.object({ open: z.int(), late: z.int() }),
  /** Fiscal numbers that are left, by type. */
  fiscal: z.array(z.object({ type: z.string(), remaining: z.int(), expiresOn: z.string().nullable() })).max(20),
  lastBackupAt: Instant.nullable(),
  freeDiskBytes: z.number().nullable(),
  lossesOpen: z.int(),
  /** How far the hub's clock is from trusted time; null where nobody knows. */
  clockOffMs: z.number().nullable(),
});
export type ChainBeat = z.infer<typeof ChainBeat>;

/** What headquarters may ask a hub. Nothing of it changes anything. */
export const chainQuestions = ["overview", "doctor", "logs", "check", "history"] as const;
export type ChainQuestion = (typeof chainQuestions)[number];

/** `dn.<r>.ask.<what>`: who asks stands in the hub's audit log. `check` and `history` are of a check. */
export const ChainQuestionBody = z.object({ by: plainText(120).min(1), posReference: PosReference.optional() });
export type ChainQuestionBody = z.infer<typeof ChainQuestionBody>;

/** An answer to a question; `error` where the house does not answer it. */
export const ChainAnswer = z.union([
  z.object({ ok: z.literal(true), body: z.unknown() }),
  z.object({ ok: z.literal(false), code: z.string(), error: z.string() }),
]);
export type ChainAnswer = z.infer<typeof ChainAnswer>;

/** Shown once by headquarters, good for 10 minutes and one hub: 8 signs that nobody mistakes for each other. */
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

/** What a hub has to know of its chain; kept by the hub, the seed of its key encrypted beside it. */
export const Enrolled = z.object({
  restaurantId: RestaurantId,
  restaurantName: z.string(),
  chainName: z.string(),
  /** nats://, tls:// or wss://. */
  url: z.string(),
  /** The certificate authority of headquarters in PEM, where it is their own. */
  ca: z.string().optional(),
});
export type Enrolled = z.infer<typeof Enrolled>;
