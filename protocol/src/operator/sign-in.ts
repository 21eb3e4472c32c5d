import { z } from "zod";
import { route } from "../http-route.ts";
import { plainText, Role, SessionToken } from "../fields.ts";

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

/** `token` is the back-office session id: send it as `Authorization: Bearer`. Only managers get one. */
export const SignedIn = z.object({ token: SessionToken, user: OperatorUser });
export type SignedIn = z.infer<typeof SignedIn>;

/** GET /operator/v1/me. `token` appears when the back-office has rotated the session: use it from now on. */
export const Me = z.object({ user: OperatorUser, token: SessionToken.optional() });

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
  signOut: route("POST", "/operator/v1/sign-out", "manager", {
    summary: "Ends the back-office session of this token.",
    answer: SignedOut,
  }),
  me: route("GET", "/operator/v1/me", "manager", {
    summary: "Returns the manager this token belongs to.",
    answer: Me,
  }),
};
