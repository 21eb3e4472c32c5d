import { z } from "zod";

/** What a back-office of another make does not know: paths under `/pos-api/v1`, and parts of bootstrap's `config`. */
const Extension = z.enum([
  "orders/release-ncf",
  "customers/search",
  "hub/lookup",
  "ncfSequences",
  "rounding",
  "creditNotes",
  "company",
  "currencies",
]);

/**
 * What becomes of an order's electronic receipt (e-CF): it is signed at once, later or never, it is rejected, the tax office
 * accepts or rejects it some time after it was signed, the answer says nothing of it, or it has another number than the order.
 */
export const FiscalQuirk = z.enum([
  "signed",
  "later",
  "never",
  "rejected",
  "accepted-later",
  "rejected-later",
  "none",
  "other",
]);

/** How Odoo servers differ from the plain answers of the stand-in. All off by default. */
export const Quirks = z.strictObject({
  /** `/pos-api/v1` answers wrapped in a JSON-RPC envelope, failures included, always with HTTP 200. */
  envelope: z.boolean().default(false),
  /** Every signed-in request gets a new session id; `hard` ends the old one at once, `soft` leaves it alive. */
  rotateSession: z.enum(["off", "soft", "hard"]).default("off"),
  /** Every request gets a proxy's HTML page with this status. */
  htmlStatus: z.int().min(200).max(599).nullable().default(null),
  /** A good password is answered with `uid: null`. */
  secondFactor: z.boolean().default(false),
  /** A dead session is `error.code` 404, as on a server with several databases. */
  deadSession404: z.boolean().default(false),
  /** The session info has no `pos`, as on a plain Odoo. */
  hidePos: z.boolean().default(false),
  /** Every sign-in is refused with "Too many login failures". */
  tooManyLoginFailures: z.boolean().default(false),
  /** Failures have `error.code` 200 instead of 0, as in older versions. */
  errorCode200: z.boolean().default(false),
  /** Every answer carries this time in its Date header, or none at all. */
  date: z
    .union([z.literal("none"), z.iso.datetime()])
    .nullable()
    .default(null),
  /** In the session info; with it set, `has_group` accepts only the arguments of that version. */
  serverVersion: z
    .string()
    .regex(/^\d{2}\.\d$/, 'a version such as "17.0"')
    .nullable()
    .default(null),
  /** A forwarded order whose lines do not add up to its total is refused, as by a server that computes it. */
  verifyTotals: z.boolean().default(false),
  /** Our extensions that this back-office lacks: the paths are 404, the parts are left out. */
  lacks: z.array(Extension).default([]),
  fiscal: FiscalQuirk.default("signed"),
  /** How long after it was booked an order is signed, accepted or rejected with a `fiscal` that says later. */
  fiscalAfterMs: z.int().nonnegative().default(3000),
});
export type Quirks = z.infer<typeof Quirks>;

export type QuirkSwitches = ReturnType<typeof createQuirkSwitches>;

export function createQuirkSwitches() {
  let quirks = Quirks.parse({});
  return {
    get: (): Quirks => quirks,
    set(next: Quirks): void {
      quirks = next;
    },
  };
}
