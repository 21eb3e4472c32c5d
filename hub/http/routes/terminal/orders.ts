import {
  type Customer,
  type FoundCustomers,
  HUB_ORIGIN,
  plainName,
  type RecentOrders,
  type RefundAtTerminal,
} from "@comanda/protocol";
import type { BackOfficeClient } from "../../../back-office/client.ts";
import { BackOfficeError } from "../../../back-office/back-office-error.ts";
import type { Identities } from "../../../back-office/identities.ts";
import type { Answer, Caller } from "../../../back-office/transport.ts";
import { writeOrLog } from "../../../changes/write-or-log.ts";
import { approvedRefund, type RefundedBy } from "../../../fiscal/refunder.ts";
import type { Refunds } from "../../../fiscal/refunds.ts";
import { personOfToken } from "../../../orders/mutations/acting-writer.ts";
import { HubError } from "../../../platform/errors.ts";
import { isoTime, isoTimeOrNull, type World } from "../../../platform/world.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { SessionUser } from "../../access/access.ts";
import { Reply, type TerminalHandlers } from "../../handlers.ts";

interface Deps extends Pick<Stores, "changes" | "orders" | "customers" | "recentTakings" | "people" | "terminalStore"> {
  world: World;
  client: Pick<BackOfficeClient, "searchCustomers" | "creditCheck">;
  notes: Pick<BackOfficeClient, "creditNote">;
  identities: Pick<Identities, "useSession">;
  refundService: Pick<Refunds, "give" | "record" | "requireAnswered" | "requireOpenShifts">;
  /** Whether the back-office is known not to answer. */
  isLineDown(): boolean;
}

/** Routes for customers and payments. */
export function terminalOrderRoutes(deps: Deps) {
  const { world, orders, client, identities, customers, recentTakings } = deps;

  /** Calls the back-office with the user's own session. Returns its refusals as a Reply with its own code and text. */
  async function relay<T>(
    { token }: SessionUser,
    peer: string,
    call: (token: string, caller: Caller) => Promise<Answer<T>>,
  ): Promise<T | Reply> {
    try {
      return await identities.useSession(token, (newest) => call(newest, { lane: "known", peer }));
    } catch (error) {
      if (!(error instanceof BackOfficeError) || error.kind !== "refused") throw asHubError(error);
      const { message, errorCode = "FORBIDDEN", status = 409 } = error;
      return new Reply({ error: message, errorCode }, status >= 400 ? status : 409);
    }
  }

  function terminalOf({ deviceKey }: { deviceKey?: string | undefined }): string {
    return deviceKey === undefined ? HUB_ORIGIN : deps.terminalStore.requireDevice(deviceKey);
  }

  /** The acting person (by PIN on the device, else the session's user), and the approver, if any. */
  function refundedBy(user: SessionUser, body: RefundAtTerminal, peer: string): RefundedBy {
    const { refundId, actor, approval } = body;
    const mutationId = approvedRefund(refundId);
    const terminalId = terminalOf(body);
    const person =
      actor === undefined ? user : personOfToken(deps.people, terminalId, actor, { mutationId, as: "actor" });
    const approver =
      approval === undefined
        ? null
        : { ...personOfToken(deps.people, terminalId, approval, { mutationId, as: "approval" }), approval };
    return { person, token: person.userId === user.userId ? user.token : null, approver, terminalId, peer };
  }

  /** Keeps found customers, so that they can be offered while the back-office is unreachable. */
  async function keep(found: readonly Customer[]): Promise<void> {
    if (found.length === 0) return;
    await writeOrLog(deps, "customers could not be kept", (tx) => customers.use(found, tx.now));
  }

  function searchStored(q: string, limit: number, reason: NonNullable<FoundCustomers["reason"]>): FoundCustomers {
    return { customers: customers.search(q, limit), source: "kept", reason, asOf: isoTimeOrNull(customers.asOf()) };
  }

  return {
    async customers({ user, query: { q, limit }, ctx }) {
      if (deps.isLineDown()) return searchStored(q, limit, "unreachable");
      try {
        const found = await identities.useSession(user.token, (token) =>
          client.searchCustomers(token, { query: q, limit }, { lane: "known", peer: ctx.ip }),
        );
        if (found === null) return searchStored(q, limit, "not_served");
        const customers = found.map((customer) => ({ ...customer, name: plainName(customer.name) }));
        await keep(customers);
        return { customers, source: "back_office", asOf: isoTime(world.clock.now()) };
      } catch (error) {
        if (!(error instanceof BackOfficeError) || error.kind === "session_dead") throw asHubError(error);
        return searchStored(q, limit, "unreachable");
      }
    },

    creditCheck: ({ user, body, ctx }) =>
      relay(user, ctx.ip, (token, caller) => client.creditCheck(token, body, { caller })),

    async creditNote({ user, body, ctx }) {
      const posReference = body.pos_reference ?? body.posReference ?? "";
      const refund = body.refund === undefined ? [] : [body.refund].flat();
      const by = { userName: user.userName, terminalId: terminalOf(body), refund };
      deps.refundService.requireOpenShifts(refund);
      deps.refundService.requireAnswered(posReference);
      const request = { pos_reference: posReference };
      const note = await relay(user, ctx.ip, (token, caller) => deps.notes.creditNote(token, request, caller));
      if (!(note instanceof Reply)) await deps.refundService.record(posReference, by, note);
      return note;
    },

    async refund({ user, body, ctx }) {
      const { posReference, deviceKey: _key, actor: _actor, approval: _approval, ...request } = body;
      return { refund: await deps.refundService.give(posReference, request, refundedBy(user, body, ctx.ip)) };
    },

    recentOrders({ query: { cursor, limit } }): RecentOrders {
      const { references, nextCursor } = recentTakings.page(limit, cursor);
      const found = references.flatMap((posReference) => orders.shown(posReference) ?? []);
      return { orders: found, nextCursor, asOf: isoTime(world.clock.now()) };
    },
  } satisfies Partial<TerminalHandlers>;
}

function asHubError(error: unknown): unknown {
  if (!(error instanceof BackOfficeError)) return error;
  if (error.kind === "session_dead") return new HubError("UNAUTHENTICATED", `${error.message}; sign in again`);
  return new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached; try again");
}
