import { Role, type OrderMutation } from "@comanda/protocol";
import type { People } from "../people/people.ts";
import type { Person } from "../people/person.ts";
import { HubError } from "../platform/errors.ts";
import type { Writer } from "./writer.ts";

/** A mutation's own word on who makes it and who approves. */
type Signed = Pick<OrderMutation, "actor" | "approval">;

/** Whose a mutation is: `refusal` when its tokens do not prove what it says; then `writer` is the best that is known. */
export interface Acting {
  writer: Writer;
  refusal: HubError | null;
}

/**
 * A mutation is its actor's whoever is signed in when it arrives, else of the person signed in (`session`). `ageMs` is how
 * long ago it was queued: what was queued in time stays its actor's.
 */
export function actingWriter(
  people: Pick<People, "actor">,
  session: Writer,
  { actor, approval }: Signed,
  ageMs: number,
): Acting {
  let writer = session;
  if (actor !== undefined) {
    const found = people.actor(actor, session.terminalId, ageMs);
    if (found !== null) writer = asWriter(session.terminalId, found.person);
    if (found?.isValid !== true) return { writer, refusal: refused("actor", found !== null) };
  }
  if (approval === undefined) return { writer, refusal: null };
  const approver = people.actor(approval, session.terminalId, ageMs);
  if (approver?.isValid !== true) return { writer, refusal: refused("approval", approver !== null) };
  return { writer: approved(writer, approver.person), refusal: null };
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

function refused(field: "actor" | "approval", isKnown: boolean): HubError {
  const why = isKnown ? "has expired; enter the PIN again" : "is no token that this hub gave on this terminal";
  return new HubError("ACTOR_REFUSED", `${field}: ${why}`);
}
