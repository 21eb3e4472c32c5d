import { z } from "zod";
import { ChainBeat, RestaurantId } from "./chain.ts";
import { ProposalOutcome, ProposalTerms } from "./proposals.ts";
import { plainText, PosReference } from "../basics/fields.ts";
import { BackupList, DataFile, LogLine, SettingList } from "../operator/system.ts";
import { StoredOrder } from "../orders/orders.ts";

// The API of headquarters (`/hq/v1`), used by their screens. Times are ISO 8601 UTC, amounts decimal numbers in pesos.

const Instant = z.string();

/** PostgreSQL has no year 0. */
const hasYear = (text: string): boolean => !text.startsWith("0000");
const NO_YEAR = { error: "there is no year 0" };
/** A day and a time in a request. */
const HqDay = z.iso.date().refine(hasYear, NO_YEAR);
export const HqInstant = z.iso.datetime().refine(hasYear, NO_YEAR);

/** `owner`: everything. `operations`: all restaurants. `region`: its groups. `support`: read-only, for a limited time. */
export const HqRole = z.enum(["owner", "operations", "region", "support"]);
export type HqRole = z.infer<typeof HqRole>;

export const HqPerson = z.object({
  id: z.string(),
  name: z.string(),
  login: z.string(),
  role: HqRole,
  /** The groups that a `region` sees. */
  groups: z.array(z.string()),
  /** False for a person who can sign in only through the identity provider. */
  hasPassword: z.boolean(),
});
export type HqPerson = z.infer<typeof HqPerson>;

/** A person as the owners see them. */
export const HqPersonRow = HqPerson.extend({
  isActive: z.boolean(),
  /** When the access of a `support` person ends; null for other roles. */
  expiresAt: Instant.nullable(),
  /** Used to match the account of the identity provider at its first sign-in. */
  email: z.string().nullable(),
  /** The identity provider's account has been linked. From then on the account is matched, not the e-mail. */
  isBound: z.boolean(),
});
export type HqPersonRow = z.infer<typeof HqPersonRow>;

const Login = plainText(120)
  .min(1)
  .transform((login) => login.normalize("NFKC").trim().toLowerCase());
const NewPassword = z.string().min(10).max(200);
/** ASCII only, so that no two different addresses look alike. */
export const HqEmail = z
  .email()
  .max(254)
  .transform((email) => email.toLowerCase());
const GroupName = plainText(60).min(1);
const Groups = z.array(GroupName).max(500);

export const HqNewPerson = z.strictObject({
  login: Login,
  name: plainText(120).min(1),
  role: HqRole,
  groups: Groups.default([]),
  /** Null for a person who signs in only through the identity provider; then `email` is required. */
  password: NewPassword.nullable().default(null),
  email: HqEmail.nullable().default(null),
  /** Required for `support`, at most 30 days ahead; not allowed for other roles. */
  expiresAt: HqInstant.nullable().default(null),
});
export type HqNewPerson = z.infer<typeof HqNewPerson>;
export const HqPersonChange = z.strictObject({
  name: plainText(120).min(1).optional(),
  role: HqRole.optional(),
  groups: Groups.optional(),
  /** Null removes the password. */
  password: NewPassword.nullable().optional(),
  /** A new address unlinks the identity provider's account. */
  email: HqEmail.nullable().optional(),
  /** Unlinks the account, for a person who has a new account with the same e-mail. */
  isBound: z.literal(false).optional(),
  expiresAt: HqInstant.nullable().optional(),
  isActive: z.boolean().optional(),
});
export type HqPersonChange = z.infer<typeof HqPersonChange>;

/** Creates the first owner, with the code from the program's log. */
export const HqSetup = z.strictObject({
  code: z.string().min(1).max(40),
  login: Login,
  name: plainText(120).min(1),
  password: NewPassword,
});
export const HqNewPassword = z.strictObject({ current: z.string().min(1).max(200), next: NewPassword });

/** The identity provider for signing in: its name, and the page that starts the sign-in. */
const HqProvider = z.object({ name: z.string(), startUrl: z.string() });

/** Why a sign-in through the identity provider failed: the `signin` parameter of the page shown afterwards. */
export const HqProviderFailure = z.enum(["denied", "invalid", "unknown", "unreachable", "unverified"]);
export type HqProviderFailure = z.infer<typeof HqProviderFailure>;

/** GET /hq/v1/session. `setup`: there is no person who may sign in yet. `provider`: null if none is configured. */
export const HqSession = z.union([
  z.object({
    state: z.enum(["setup", "out"]),
    chainName: z.string(),
    provider: HqProvider.nullable(),
    /** When the `support` access of this session's person ended. */
    endedAt: Instant.optional(),
  }),
  z.object({
    state: z.literal("in"),
    chainName: z.string(),
    provider: HqProvider.nullable(),
    /** The time zone of most restaurants, in which days and times are shown. */
    timeZone: z.string(),
    person: HqPerson,
  }),
]);
export type HqSession = z.infer<typeof HqSession>;

export const HqSignIn = z.strictObject({ login: Login, password: z.string().min(1).max(200) });

/** Why data is missing: days (`2026-11-22`) that the hub no longer had, or data that could not be read. */
export const HoleCause = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("not_sent"), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal("unreadable"), error: z.string() }),
  z.object({ kind: z.literal("unreadable_transfer") }),
]);
export type HoleCause = z.infer<typeof HoleCause>;

/** How complete the figures of an answer are. Every answer with sums says which restaurants are missing. */
export const HqCoverage = z.object({
  asOf: Instant,
  restaurants: z.int(),
  /** Number of restaurants whose figures are up to date. */
  current: z.int(),
  behind: z.array(z.object({ id: RestaurantId, name: z.string(), since: Instant.nullable() })),
  /** Data that is missing from the figures and will not arrive by itself. */
  holes: z.array(z.object({ id: RestaurantId, name: z.string(), cause: HoleCause })),
});
export type HqCoverage = z.infer<typeof HqCoverage>;

/** `late`: silent for 30 s. `offline`: silent for 60 s. `never`: no hub enrolled, or never heard from. */
export const HqPresence = z.enum(["online", "late", "offline", "never"]);
export type HqPresence = z.infer<typeof HqPresence>;

/** `warn` is shown on the screens; `page` alerts a person. */
export const HqAlert = z.object({
  id: z.string(),
  /** One per cause. The screens choose their text by it. */
  kind: z.string(),
  severity: z.enum(["warn", "page"]),
  restaurantId: RestaurantId.nullable(),
  restaurantName: z.string().nullable(),
  /** Whom to call there. */
  contact: z.string().nullable(),
  group: z.string().nullable(),
  since: Instant,
  clearedAt: Instant.nullable(),
  takenBy: z.string().nullable(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type HqAlert = z.infer<typeof HqAlert>;

export const HqRestaurantRow = z.object({
  id: RestaurantId,
  name: z.string(),
  groups: z.array(z.string()),
  presence: HqPresence,
  lastSeenAt: Instant.nullable(),
  /** The time up to which headquarters have its checks; null before the first. */
  copyOf: Instant.nullable(),
  beat: ChainBeat.nullable(),
  alerts: z.array(HqAlert.pick({ kind: true, severity: true })),
});
export type HqRestaurantRow = z.infer<typeof HqRestaurantRow>;

/** GET /hq/v1/now: the restaurants with the most trouble first. */
export const HqNow = z.object({
  coverage: HqCoverage,
  totals: z.object({ openChecks: z.int(), openTotal: z.number(), paidChecks: z.int(), paidTotal: z.number() }),
  restaurants: z.array(HqRestaurantRow),
});
export type HqNow = z.infer<typeof HqNow>;

/** GET /hq/v1/sales?from&to&group&restaurant: `from` and `to` are days, both included. */
export const HqSalesQuery = z.strictObject({
  from: HqDay,
  to: HqDay,
  group: GroupName.optional(),
  restaurant: RestaurantId.optional(),
});
export const HqSales = z.object({
  coverage: HqCoverage,
  totals: z.object({
    checks: z.int(),
    guests: z.number(),
    paid: z.number(),
    refunded: z.number(),
    discounts: z.number(),
    voids: z.number(),
  }),
  /** By local time at each restaurant, 0 to 23, in the order of a business day. */
  hours: z.array(z.object({ hour: z.int(), checks: z.int(), paid: z.number() })),
  days: z.array(z.object({ day: z.string(), checks: z.int(), paid: z.number() })),
  /** The 500 products with the highest sales. */
  products: z.array(z.object({ productId: z.string(), name: z.string(), quantity: z.number(), amount: z.number() })),
  /** The number of other products, and their total. */
  otherProducts: z.object({ count: z.int(), amount: z.number() }),
  restaurants: z.array(z.object({ id: RestaurantId, name: z.string(), checks: z.int(), paid: z.number() })),
});
export type HqSales = z.infer<typeof HqSales>;

/** A summary of a check as headquarters have it. */
export const HqCheck = z.object({
  posReference: z.string(),
  openedAt: Instant,
  paidAt: Instant.nullable(),
  total: z.number(),
  staffName: z.string().nullable(),
  removed: z.object({ reason: z.string().nullable(), by: z.string().nullable() }).nullable(),
});
export type HqCheck = z.infer<typeof HqCheck>;

/** GET /hq/v1/restaurants/:id. */
export const HqRestaurant = HqRestaurantRow.extend({
  /** Names and telephone numbers of the contacts there, as free text. */
  contact: z.string(),
  hubId: z.string().nullable(),
  enrolledAt: Instant.nullable(),
  /** When the restaurant was added to the chain. */
  addedAt: Instant,
  openAlerts: z.array(HqAlert),
  checks: z.array(HqCheck),
  outages: z.array(z.object({ from: Instant, until: Instant.nullable() })),
  holes: z.array(z.object({ from: z.int(), to: z.int(), cause: HoleCause, at: Instant })),
  digests: z.array(z.object({ day: z.string(), isEqual: z.boolean(), paid: z.int(), paidHere: z.int() })),
});
export type HqRestaurant = z.infer<typeof HqRestaurant>;

/** GET /hq/v1/restaurants/:id/check?posReference. */
export const HqCheckQuery = z.strictObject({ posReference: PosReference });

/** A check with its lines. `copyOf`: the age of headquarters' copy if the hub does not answer; else null. */
export const HqCheckDetail = z.object({ order: StoredOrder, copyOf: Instant.nullable() });
export type HqCheckDetail = z.infer<typeof HqCheckDetail>;

/** A hub's answers: GET /hq/v1/restaurants/:id/doctor and `/logs` (newest last). */
export const HqDoctor = z.object({ settings: SettingList, dataFile: DataFile, backups: BackupList });
export const HqLogs = z.array(LogLine);

/** `cleared`: the newest alerts that are over; `moreCleared`: how many more there are. */
export const HqAlerts = z.object({ open: z.array(HqAlert), cleared: z.array(HqAlert), moreCleared: z.number() });

/** A code that enrols one hub, shown once. */
export const HqEnrolmentCode = z.object({ restaurantId: RestaurantId, code: z.string(), expiresAt: Instant });

export const HqNewRestaurant = z.strictObject({ name: plainText(120).min(1), groups: Groups.default([]) });
export const HqRestaurantChange = z.strictObject({
  name: plainText(120).min(1).optional(),
  groups: Groups.optional(),
  contact: plainText(200).optional(),
  /** Closed for good: left out of current figures; past sales stay. */
  isClosed: z.boolean().optional(),
});
export const HqGroups = z.object({ groups: z.array(z.object({ name: z.string(), restaurants: z.int() })) });

/** The data of an event of GET /hq/v1/events: what clients have to read again. */
export const HqNews = z.object({ changed: z.array(z.enum(["now", "sales", "alerts", "proposals"])) });
export type HqNews = z.infer<typeof HqNews>;

export const HqAuditEntry = z.object({
  id: z.int(),
  at: Instant,
  person: z.string(),
  action: z.string(),
  restaurantId: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});

/** POST /hq/v1/proposals: the proposal, and the restaurants it is for. */
export const HqNewProposal = z.strictObject({
  proposal: ProposalTerms,
  restaurants: z.array(RestaurantId).min(1).max(5_000),
});

/**
 * In display order: first what is done, then what is still to come. A restaurant that has not answered yet is `sent`, or
 * `unreachable` if it is offline.
 */
export const HqProposalState = z.enum([
  "applied",
  "waiting",
  "conflict",
  "refused",
  "unreachable",
  "sent",
  "declined",
  "expired",
  "withdrawn",
]);
export type HqProposalState = z.infer<typeof HqProposalState>;

/** A row in the list of proposals, with the number of restaurants in each state. */
export const HqProposalRow = z.object({
  id: z.string(),
  terms: ProposalTerms,
  by: z.string(),
  madeAt: Instant,
  withdrawnAt: Instant.nullable(),
  /** The proposal that undoes this one, and the one that this one undoes. */
  undoneBy: z.string().nullable(),
  undoes: z.string().nullable(),
  /** Whether the reader may withdraw or undo it. A region may only if it was made to that region's restaurants alone. */
  mayChange: z.boolean(),
  states: z.array(z.object({ state: HqProposalState, restaurants: z.int() })),
});
export type HqProposalRow = z.infer<typeof HqProposalRow>;

/** GET /hq/v1/proposals/:id. */
export const HqProposal = HqProposalRow.extend({
  restaurants: z.array(
    z.object({
      id: RestaurantId,
      name: z.string(),
      state: HqProposalState,
      at: Instant.nullable(),
      lastSeenAt: Instant.nullable(),
      outcome: ProposalOutcome.nullable(),
    }),
  ),
});
export type HqProposal = z.infer<typeof HqProposal>;

/** Products that can be proposed: those sold in the last 90 days, or out of stock at a restaurant. */
export const HqProducts = z.object({
  products: z.array(
    z.object({
      productId: z.string(),
      name: z.string(),
      /** Number of restaurants where it is out of stock. */
      outAt: z.int(),
    }),
  ),
});
export type HqProducts = z.infer<typeof HqProducts>;
