import { z } from "zod";

/** Extensions that other back-offices lack: paths under `/pos-api/v1`, and parts of bootstrap's `config`. */
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
 * The outcome of an order's electronic receipt (e-CF): signed at once, later or never; rejected; accepted or rejected by the
 * tax office some time after it was signed; missing in the response; or with another number than the order.
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

/** Differences between Odoo servers and the plain responses of the stand-in. All are off by default. */
export const Quirks = z.strictObject({
  /** `/pos-api/v1` responses are wrapped in a JSON-RPC envelope, failures included, always with HTTP 200. */
  envelope: z.boolean().default(false),
  /** Every signed-in request gets a new session id; `hard` ends the old one at once, `soft` leaves it alive. */
  rotateSession: z.enum(["off", "soft", "hard"]).default("off"),
  /** Every request gets a proxy's HTML page with this status. */
  htmlStatus: z.int().min(200).max(599).nullable().default(null),
  /** A correct password is answered with `uid: null`. */
  secondFactor: z.boolean().default(false),
  /** A dead session has `error.code` 404, as on a server with several databases. */
  deadSession404: z.boolean().default(false),
  /** The session info has no `pos`, as on a plain Odoo. */
  hidePos: z.boolean().default(false),
  /** Every sign-in is refused with "Too many login failures". */
  tooManyLoginFailures: z.boolean().default(false),
  /** Failures have `error.code` 200 instead of 0, as in older versions. */
  errorCode200: z.boolean().default(false),
  /** Every response has this time in its Date header, or no Date header. */
  date: z
    .union([z.literal("none"), z.iso.datetime()])
    .nullable()
    .default(null),
  /** Reported in the session info. If set, `has_group` accepts only the arguments of that version. */
  serverVersion: z
    .string()
    .regex(/^\d{2}\.\d$/, 'a version such as "17.0"')
    .nullable()
    .default(null),
  /** A forwarded order is refused if its lines do not add up to its total. */
  verifyTotals: z.boolean().default(false),
  /** Our extensions that this back-office lacks: paths return 404, parts are left out. */
  lacks: z.array(Extension).default([]),
  fiscal: FiscalQuirk.default("signed"),
  /** Delay in ms from booking an order to its signature, acceptance or rejection, for `fiscal` values with "later". */
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
