import { Role, type OrderMutation } from "@comanda/protocol";
import type { Standing } from "../people/actor-tokens.ts";
import type { People } from "../people/people.ts";
import type { Person } from "../people/person.ts";
import { HubError } from "../platform/errors.ts";
import type { Writer } from "./writer.ts";

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
 * A mutation is its actor's whoever is signed in when it arrives, else of the person signed in (`session`). `ageMs` is how
 * long ago it was queued: what was queued in time stays its actor's.
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

const reasons: Readonly<Record<Exclude<Standing, "valid">, string>> = {
  outside: "was given later or has expired; enter the PIN again",
  revoked: "was revoked: the PIN was reset or the device forgotten; enter the PIN again",
  used: "was used for another change; enter the PIN again",
  for_approval: "is good for an approval only",
};

function refused(field: "actor" | "approval", token: string, standing: Exclude<Standing, "valid"> | undefined) {
  const why = standing === undefined ? "is no token that this hub gave on this terminal" : reasons[standing];
  const refusal = new HubError("ACTOR_REFUSED", `${field}: ${why}`);
  return { refusal, ...(standing === "revoked" && { revoked: token }) };
}
