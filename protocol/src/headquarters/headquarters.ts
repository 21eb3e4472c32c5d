import { z } from "zod";
import { ChainBeat, RestaurantId } from "./chain.ts";
import { ProposalOutcome, ProposalTerms } from "./proposals.ts";
import { plainText, PosReference } from "../basics/fields.ts";
import { BackupList, DataFile, LogLine, SettingList } from "../operator/system.ts";
import { StoredOrder } from "../orders/orders.ts";

// The API of headquarters (`/hq/v1`), which its screens use. Times are ISO 8601 UTC, amounts decimal numbers in pesos.

const Instant = z.string();

/** PostgreSQL knows no year 0. */
const hasYear = (text: string): boolean => !text.startsWith("0000");
const NO_YEAR = { error: "there is no year 0" };
/** A day and a time that somebody sends. */
const HqDay = z.iso.date().refine(hasYear, NO_YEAR);
export const HqInstant = z.iso.datetime().refine(hasYear, NO_YEAR);

/** `owner`: everything, people too. `operations`: all restaurants. `region`: its groups. `support`: looks, for a time. */
export const HqRole = z.enum(["owner", "operations", "region", "support"]);
export type HqRole = z.infer<typeof HqRole>;

export const HqPerson = z.object({
  id: z.string(),
  name: z.string(),
  login: z.string(),
  role: HqRole,
  /** What a `region` sees. */
  groups: z.array(z.string()),
  /** False for those who sign in by the identity provider alone. */
  hasPassword: z.boolean(),
});
export type HqPerson = z.infer<typeof HqPerson>;

/** A person as the owners see them. */
export const HqPersonRow = HqPerson.extend({
  isActive: z.boolean(),
  /** Until when somebody supports; null for all others. */
  expiresAt: Instant.nullable(),
  /** By which the identity provider's account is found that somebody signs in with. */
  email: z.string().nullable(),
  /** That account has signed in: from then on it counts, and not the e-mail. */
  isBound: z.boolean(),
});
export type HqPersonRow = z.infer<typeof HqPersonRow>;

const Login = plainText(120)
  .min(1)
  .transform((login) => login.normalize("NFKC").trim().toLowerCase());
const NewPassword = z.string().min(10).max(200);
/** In ASCII alone: of no two addresses that look alike is one taken for the other. */
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
  /** Null for whoever signs in by the identity provider alone, whose e-mail is needed. */
  password: NewPassword.nullable().default(null),
  email: HqEmail.nullable().default(null),
  /** Needed for `support`, which lasts 30 days at most; for nobody else. */
  expiresAt: HqInstant.nullable().default(null),
});
export type HqNewPerson = z.infer<typeof HqNewPerson>;
export const HqPersonChange = z.strictObject({
  name: plainText(120).min(1).optional(),
  role: HqRole.optional(),
  groups: Groups.optional(),
  /** Null takes it away. */
  password: NewPassword.nullable().optional(),
  /** Another one undoes what the identity provider's account was bound to. */
  email: HqEmail.nullable().optional(),
  /** Undoes it too: somebody has another account with the same e-mail. */
  isBound: z.literal(false).optional(),
  expiresAt: HqInstant.nullable().optional(),
  isActive: z.boolean().optional(),
});
export type HqPersonChange = z.infer<typeof HqPersonChange>;

/** The first owner, by the code that the program shows in its log. */
export const HqSetup = z.strictObject({
  code: z.string().min(1).max(40),
  login: Login,
  name: plainText(120).min(1),
  password: NewPassword,
});
export const HqNewPassword = z.strictObject({ current: z.string().min(1).max(200), next: NewPassword });

/** The identity provider by which people may sign in: its name, and the page that goes there. */
const HqProvider = z.object({ name: z.string(), startUrl: z.string() });

/** Why a sign-in by the identity provider came to nothing, as `signin` in the address of the page that is shown then. */
export const HqProviderFailure = z.enum(["denied", "invalid", "unknown", "unreachable", "unverified"]);
export type HqProviderFailure = z.infer<typeof HqProviderFailure>;

/** GET /hq/v1/session. `setup`: nobody is there yet who may sign in. `provider`: null where none is configured. */
export const HqSession = z.union([
  z.object({
    state: z.enum(["setup", "out"]),
    chainName: z.string(),
    provider: HqProvider.nullable(),
    /** When the time ended for which the person of this session might look. */
    endedAt: Instant.optional(),
  }),
  z.object({
    state: z.literal("in"),
    chainName: z.string(),
    provider: HqProvider.nullable(),
    /** Of most restaurants: days and times are shown by it. */
    timeZone: z.string(),
    person: HqPerson,
  }),
]);
export type HqSession = z.infer<typeof HqSession>;

export const HqSignIn = z.strictObject({ login: Login, password: z.string().min(1).max(200) });

/** Why a piece is missing: days (`2026-11-22`) that the hub no longer had, or what came and could not be read. */
export const HoleCause = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("not_sent"), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal("unreadable"), error: z.string() }),
  z.object({ kind: z.literal("unreadable_transfer") }),
]);
export type HoleCause = z.infer<typeof HoleCause>;

/** How far the figures of an answer reach: nothing is summed that hides who is missing. */
export const HqCoverage = z.object({
  asOf: Instant,
  restaurants: z.int(),
  /** Whose figures are up to date. */
  current: z.int(),
  behind: z.array(z.object({ id: RestaurantId, name: z.string(), since: Instant.nullable() })),
  /** What is missing of the figures and will not come by itself. */
  holes: z.array(z.object({ id: RestaurantId, name: z.string(), cause: HoleCause })),
});
export type HqCoverage = z.infer<typeof HqCoverage>;

/** `late`: no word for 30 s; `offline`: for 60 s; `never`: without a hub, or not heard of yet. */
export const HqPresence = z.enum(["online", "late", "offline", "never"]);
export type HqPresence = z.infer<typeof HqPresence>;

/** `warn` is to be seen, `page` wakes somebody. */
export const HqAlert = z.object({
  id: z.string(),
  /** One per cause; what the texts of the screens go by. */
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
  /** How far its checks are here; null before the first. */
  copyOf: Instant.nullable(),
  beat: ChainBeat.nullable(),
  alerts: z.array(HqAlert.pick({ kind: true, severity: true })),
});
export type HqRestaurantRow = z.infer<typeof HqRestaurantRow>;

/** GET /hq/v1/now: in order of trouble. */
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
  /** By what the clock of each restaurant read, 0 to 23, in the order of a business day. */
  hours: z.array(z.object({ hour: z.int(), checks: z.int(), paid: z.number() })),
  days: z.array(z.object({ day: z.string(), checks: z.int(), paid: z.number() })),
  /** The 500 that brought the most. */
  products: z.array(z.object({ productId: z.string(), name: z.string(), quantity: z.number(), amount: z.number() })),
  /** How many others there are, and what they came to. */
  otherProducts: z.object({ count: z.int(), amount: z.number() }),
  restaurants: z.array(z.object({ id: RestaurantId, name: z.string(), checks: z.int(), paid: z.number() })),
});
export type HqSales = z.infer<typeof HqSales>;

/** A check as headquarters have it, in few words. */
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
  /** Whom to call there: names and telephones, as somebody wrote them. */
  contact: z.string(),
  hubId: z.string().nullable(),
  enrolledAt: Instant.nullable(),
  /** When it became one of the chain. */
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

/** A check with its lines. `copyOf`: where the hub does not answer, up to when headquarters have it; null for the hub's own word. */
export const HqCheckDetail = z.object({ order: StoredOrder, copyOf: Instant.nullable() });
export type HqCheckDetail = z.infer<typeof HqCheckDetail>;

/** What a hub says of itself when it is asked: GET /hq/v1/restaurants/:id/doctor, and `/logs`, the newest last. */
export const HqDoctor = z.object({ settings: SettingList, dataFile: DataFile, backups: BackupList });
export const HqLogs = z.array(LogLine);

/** `cleared`: the newest that are over, and how many more there are. */
export const HqAlerts = z.object({ open: z.array(HqAlert), cleared: z.array(HqAlert), moreCleared: z.number() });

/** A code that enrols one hub, shown once. */
export const HqEnrolmentCode = z.object({ restaurantId: RestaurantId, code: z.string(), expiresAt: Instant });

export const HqNewRestaurant = z.strictObject({ name: plainText(120).min(1), groups: Groups.default([]) });
export const HqRestaurantChange = z.strictObject({
  name: plainText(120).min(1).optional(),
  groups: Groups.optional(),
  contact: plainText(200).optional(),
  /** Closed for good: it counts nowhere any more, and what it sold stays. */
  isClosed: z.boolean().optional(),
});
export const HqGroups = z.object({ groups: z.array(z.object({ name: z.string(), restaurants: z.int() })) });

/** The data of an event of GET /hq/v1/events: what to read again. */
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

/** POST /hq/v1/proposals: what is proposed, and to which restaurants. */
export const HqNewProposal = z.strictObject({
  proposal: ProposalTerms,
  restaurants: z.array(RestaurantId).min(1).max(5_000),
});

/**
 * In the order in which they are said: how much is done, and what is to come. What a restaurant has not answered yet is `sent`,
 * or not even that (`unreachable`: it is offline).
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

/** A proposal in the list of all, with how many restaurants are how far. */
export const HqProposalRow = z.object({
  id: z.string(),
  terms: ProposalTerms,
  by: z.string(),
  madeAt: Instant,
  withdrawnAt: Instant.nullable(),
  /** The proposal that takes it back, and the one that it takes back. */
  undoneBy: z.string().nullable(),
  undoes: z.string().nullable(),
  /** Whether whoever reads it may withdraw and undo it: a region only what was made to its restaurants alone. */
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

/** Dishes that were sold in the last 90 days or are out somewhere, for who proposes something of them. */
export const HqProducts = z.object({
  products: z.array(
    z.object({
      productId: z.string(),
      name: z.string(),
      /** Where it has run out. */
      outAt: z.int(),
    }),
  ),
});
export type HqProducts = z.infer<typeof HqProducts>;
