import { z } from "zod";
import { route } from "../http/http-route.ts";
import { plainText, Role, SessionToken } from "../basics/fields.ts";
import { EnteredPin, SetPin } from "../access/pins.ts";
import { Instant } from "./common.ts";

/** POST /operator/v1/sign-in: a back-office account. Forwarded to the back-office, never stored. */
export const SignIn = z.strictObject({ login: plainText(128).min(1), password: z.string().min(1).max(256) });

export const OperatorUser = z.object({
  id: z.union([z.int(), z.string()]),
  name: z.string(),
  role: Role,
  /** What the back-office lets this user do, for example `refund`; in the answers to signing in and `me`. */
  permissions: z.array(z.string()).readonly().optional(),
});
export type OperatorUser = z.infer<typeof OperatorUser>;

/** POST /operator/v1/sign-in/pin: somebody's login at the back-office, or name, and the PIN that they have set here. */
export const PinSignIn = z.strictObject({ login: plainText(128).min(1), pin: EnteredPin });

/** For a session that a PIN has opened: when it ends at the latest. */
const pinUntil = Instant.optional();

/** `token`, the back-office session id or the hub's own for a PIN: send it as `Authorization: Bearer`. Only managers get one. */
export const SignedIn = z.object({ token: SessionToken, user: OperatorUser, pinUntil });
export type SignedIn = z.infer<typeof SignedIn>;

/**
 * GET /operator/v1/me. `token` appears when the back-office has rotated the session: use it from now on. `hasPin`: this
 * manager has set a PIN here.
 */
export const Me = z.object({
  user: OperatorUser,
  token: SessionToken.optional(),
  pinUntil,
  hasPin: z.literal(true).optional(),
});

/**
 * POST /operator/v1/sign-out: the hub refuses this session from now on. With `backOffice: "pending"` the back-office could
 * not end it yet; the hub retries as soon as it can.
 */
export const SignedOut = z.object({ signedOut: z.literal(true), backOffice: z.literal("pending").optional() });

export const signInRoutes = {
  signIn: route("POST", "/operator/v1/sign-in", "public", {
    summary: "Signs a manager in with a back-office account.",
    body: SignIn,
    answer: SignedIn,
    errors: ["FORBIDDEN", "UPSTREAM_UNAVAILABLE"],
  }),
  signInWithPin: route("POST", "/operator/v1/sign-in/pin", "public", {
    summary:
      "Signs a manager in with a PIN while the back-office cannot be reached, for 12 h at most and without what needs its confirmation.",
    body: PinSignIn,
    answer: SignedIn,
    errors: ["FORBIDDEN", "CONFIRMATION_NEEDED", "UPSTREAM_UNAVAILABLE"],
  }),
  setPin: route("PUT", "/operator/v1/pin", "manager", {
    needsConfirmation: true,
    summary: "Sets the manager's PIN, for terminals and for signing in here without the back-office.",
    body: SetPin,
    answer: z.object({ set: z.literal(true) }),
  }),
  signOut: route("POST", "/operator/v1/sign-out", "manager", {
    summary: "Ends the session of this token, at the back-office too.",
    answer: SignedOut,
  }),
  me: route("GET", "/operator/v1/me", "manager", {
    summary: "Returns the manager this token belongs to.",
    answer: Me,
  }),
};
