import { Role, type OrderMutation, type RefusedToken, type TokenRefusal } from "@comanda/protocol";
import type { Standing } from "../../people/actor-tokens.ts";
import type { People } from "../../people/people.ts";
import type { Person } from "../../people/person.ts";
import { HubError } from "../../platform/errors.ts";
import type { Writer } from "../writer.ts";

/** A mutation's own word on who makes it and who approves. */
type Signed = Pick<OrderMutation, "mutationId" | "actor" | "approval">;

/** Whose a mutation is: `refusal` when its tokens do not prove what it says; then `writer` is the best that is known. */
export interface Acting {
  writer: Writer;
  refusal: HubError | null;
  /** The token that was revoked, where that is why. */
  revoked?: string;
}

/**
 * A mutation belongs to its actor, also when somebody else is signed in by the time it arrives; without one to the
 * person signed in (`session`). `ageMs` is how long ago it was queued: what was queued in time stays its actor's.
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

/** The person of a token that counts for this use; ACTOR_REFUSED otherwise. */
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

/** The rights of either count. */
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
  for_approval: "is good for an approval only",
  unknown: "is no token that this hub gave on this terminal",
};

function refused(of: RefusedToken["of"], token: string, standing: Exclude<Standing, "valid"> | undefined) {
  const why: TokenRefusal = standing ?? "unknown";
  const refusal = new HubError("ACTOR_REFUSED", `${of}: ${reasons[why]}`, { refusedToken: { of, why } });
  const isRevoked = why === "pin_revoked" || why === "device_forgotten";
  return { refusal, ...(isRevoked && { revoked: token }) };
}
