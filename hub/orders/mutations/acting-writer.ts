import { Role, type OrderMutation, type RefusedToken, type TokenRefusal } from "@comanda/protocol";
import type { Standing } from "../../people/actor-tokens.ts";
import type { People } from "../../people/people.ts";
import type { Person } from "../../people/person.ts";
import { HubError } from "../../platform/errors.ts";
import type { Writer } from "../writer.ts";

/** The tokens in a mutation that name its author and its approver. */
type Signed = Pick<OrderMutation, "mutationId" | "actor" | "approval">;

/** The author of a mutation. `refusal` is set if its tokens are not valid; `writer` is then only the best guess. */
export interface Acting {
  writer: Writer;
  refusal: HubError | null;
  /** The token, if it is refused because it was revoked. */
  revoked?: string;
}

/**
 * Returns the author of a mutation: the user of its `actor` token, even if another user is signed in when it arrives, else
 * the signed-in user (`session`). `ageMs` is how long ago it was queued; a token only has to be valid at that time.
 */
export function actingWriter(
  people: Pick<People, "actor">,
  session: Writer,
  { mutationId, actor, approval }: Signed,
  ageMs: number,
): Acting {
  const { terminalId } = session;
  let writer = session;
  if (actor !== undefined) {
    const found = people.actor(actor, terminalId, { mutationId, as: "actor", ageMs });
    if (found !== null) writer = asWriter(terminalId, found.person);
    if (found?.standing !== "valid") return { writer, ...refused("actor", actor, found?.standing) };
  }
  if (approval === undefined) return { writer, refusal: null };
  const approver = people.actor(approval, terminalId, { mutationId, as: "approval", ageMs });
  if (approver?.standing !== "valid") return { writer, ...refused("approval", approval, approver?.standing) };
  return { writer: approved(writer, approver.person), refusal: null };
}

/** Returns the user of a token that is valid for this use; throws ACTOR_REFUSED otherwise. */
export function personOfToken(
  people: Pick<People, "actor">,
  terminalId: string,
  token: string,
  use: { mutationId: string; as: "actor" | "approval" },
): Person {
  const found = people.actor(token, terminalId, { ...use, ageMs: 0 });
  if (found?.standing !== "valid") throw refused(use.as, token, found?.standing).refusal;
  return found.person;
}

function asWriter(terminalId: string, { userName, role, permissions }: Person): Writer {
  return { terminalId, userName, role, permissions };
}

/** Gives the writer the higher role and the permissions of both. */
function approved(writer: Writer, { userName, role, permissions }: Person): Writer {
  const rank = (each: Role): number => Role.options.indexOf(each);
  return {
    ...writer,
    role: rank(role) > rank(writer.role) ? role : writer.role,
    permissions: [...new Set([...(writer.permissions ?? []), ...permissions])],
    approvedBy: userName,
  };
}

const reasons: Readonly<Record<TokenRefusal, string>> = {
  expired: "has expired; enter the PIN again",
  early: "was given later; enter the PIN again",
  pin_revoked: "was revoked: the PIN was reset; enter the PIN again",
  device_forgotten: "was revoked: the device was forgotten; enter the PIN again",
  used: "was used for another change; enter the PIN again",
  for_approval: "is valid for an approval only",
  unknown: "was not issued by this hub on this terminal",
};

function refused(of: RefusedToken["of"], token: string, standing: Exclude<Standing, "valid"> | undefined) {
  const reason: TokenRefusal = standing ?? "unknown";
  const refusal = new HubError("ACTOR_REFUSED", `${of}: ${reasons[reason]}`, { refusedToken: { of, why: reason } });
  const isRevoked = reason === "pin_revoked" || reason === "device_forgotten";
  return { refusal, ...(isRevoked && { revoked: token }) };
}
