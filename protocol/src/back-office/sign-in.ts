import { z } from "zod";
import { Role } from "../basics/fields.ts";

/** Role and permissions of the session's user; `refund` is the only permission so far. */
export const PosIdentity = z.object({ role: Role, permissions: z.array(z.string()).default([]) });
export type PosIdentity = z.infer<typeof PosIdentity>;

/**
 * `result` of authenticate and get_session_info. If `uid` is null or false, no user is signed in (a second factor is required).
 * `pos` is absent on a plain Odoo, where the role is read with `has_group`.
 */
export const SessionInfo = z.object({
  uid: z.union([z.int(), z.literal(false)]).nullable(),
  db: z.union([z.string(), z.literal(false)]).nullish(),
  name: z.union([z.string(), z.literal(false)]).nullish(),
  username: z.union([z.string(), z.literal(false)]).nullish(),
  server_version: z.string().nullish(),
  server_version_info: z.array(z.union([z.number(), z.string()])).nullish(),
  pos: PosIdentity.nullish(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

export const AuthenticateParams = z.object({ db: z.string(), login: z.string(), password: z.string() });

/** External ids for `has_group`, used if the session info has no `pos`. */
export const posManagerGroup = "point_of_sale.group_pos_manager";

export const posUserGroup = "point_of_sale.group_pos_user";
export const refundGroup = "l10n_do_accounting.group_l10n_do_fiscal_credit_note";
