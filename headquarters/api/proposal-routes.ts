import { DAY_MS } from "@comanda/protocol";
import type { ProposalTerms } from "@comanda/protocol/proposals.ts";
import { isInScope, type RestaurantStatus } from "../alerts/restaurants.ts";
import { recordAudit } from "../db/audit.ts";
import type { Database, Queries } from "../db/database.ts";
import type { Caller } from "../people/sessions.ts";
import type { Documents } from "../proposals/documents.ts";
import { readProducts } from "../proposals/products.ts";
import {
  lockProposal,
  type ProposalRecord,
  makeProposal,
  namesOf,
  readApplied,
  type ReadContext,
  readProposals,
  readStates,
  withdrawProposal,
  withItems,
} from "../proposals/proposal-store.ts";
import { undoItems } from "../proposals/undo-items.ts";
import { Refusal } from "../refusal.ts";
import type { News } from "./news.ts";
import type { PresenceNow } from "./now-route.ts";
import { scopeOf } from "./scope.ts";
import type { Handlers } from "./serve-api.ts";

const MAX_MS = 90 * DAY_MS;
const UNDO_MS = 3 * DAY_MS;

export function proposalRoutes(deps: {
  database: Database;
  documents: Pick<Documents, "write">;
  news: News;
  now: () => number;
  presence: PresenceNow;
}) {
  const { database, documents, news, now, presence } = deps;

  async function readContextOf(caller: Caller): Promise<ReadContext> {
    const restaurants = await database.query<Pick<RestaurantStatus, "id" | "hubId" | "heardAt">>(
      `SELECT r.id, r.hub_id AS "hubId", b.heard_at AS "heardAt" FROM restaurants r LEFT JOIN beats b ON b.restaurant_id = r.id`,
    );
    const isAway = (each: (typeof restaurants)[number]): boolean => ["offline", "never"].includes(presence(each));
    return { scope: scopeOf(caller), now: now(), unreachable: restaurants.filter(isAway).map(({ id }) => id) };
  }

  /** Runs `work` in a transaction, with one timestamp. After the commit, sends the change to restaurants and screens. */
  async function change<T>(work: (queries: Queries, at: number) => Promise<T>): Promise<T> {
    const at = now();
    const result = await database.transaction((queries) => work(queries, at));
    documents.write();
    news.notify("proposals");
    return result;
  }

  return {
    products: async ({ caller }) => ({ products: await readProducts(database, scopeOf(caller), now()) }),

    async proposals({ caller }) {
      const rows = await readProposals(database, await readContextOf(caller));
      return { proposals: rows.map((row) => present(row, caller)) };
    },

    async proposal({ caller, id }) {
      const reading = await readContextOf(caller);
      const [row] = await readProposals(database, reading, id);
      if (row === undefined) throw new Refusal("NOT_FOUND", "there is no such proposal");
      return { ...present(row, caller), restaurants: await readStates(database, reading, id) };
    },

    async propose({ caller, body: { proposal: terms, restaurants } }) {
      requireMayPropose(caller, terms);
      requireTimes(terms, now());
      const ids = [...new Set(restaurants)];
      const id = await change(async (queries, at) => {
        await requireOpen(queries, caller, ids);
        const to = ids.map((restaurant) => ({ id: restaurant, items: null }));
        const made = await makeProposal(queries, { terms, to, by: caller.name, undoes: null }, at);
        await auditProposal(queries, at, caller, "proposal.made", { id: made, terms, restaurants: ids });
        return made;
      });
      return { id };
    },

    async withdrawProposal({ caller, id }) {
      await change(async (queries, at) => {
        const made = await requireProposal(queries, caller, id);
        if (made.withdrawnAt !== null) throw new Refusal("CONFLICT", "it was withdrawn already");
        await withdrawProposal(queries, made, at);
        await auditProposal(queries, at, caller, "proposal.withdrawn", made);
      });
      return { done: true };
    },

    async undoProposal({ caller, id }) {
      const undo = await change(async (queries, at) => {
        const made = await requireProposal(queries, caller, id);
        if (made.undoneBy !== null) throw new Refusal("CONFLICT", "it was undone already");
        const applied = await readApplied(queries, id);
        const to = applied
          .map((each) => ({
            id: each.id,
            items: undoItems({ kind: made.terms.kind, items: each.items }, each.outcome),
          }))
          .filter(({ items }) => items.length > 0);
        if (to.length === 0) throw new Refusal("CONFLICT", "no restaurant has anything of it to undo");
        // Withdraw first: it locks the documents of all restaurants, the undo only those of some.
        if (made.withdrawnAt === null) await withdrawProposal(queries, made, at);
        const times = { at: new Date(at).toISOString(), until: new Date(at + UNDO_MS).toISOString() };
        // Each restaurant has its own items. They are merged in one go, because there may be hundreds of restaurants.
        const terms = withItems(
          { ...made.terms, ...times },
          to.map(({ items }) => items),
        );
        const undoing = await makeProposal(queries, { terms, to, by: caller.name, undoes: id }, at);
        const restaurants = to.map((each) => each.id);
        await auditProposal(
          queries,
          at,
          caller,
          "proposal.undone",
          { id, terms: made.terms, restaurants },
          { by: undoing },
        );
        return undoing;
      });
      return { id: undo };
    },
  } satisfies Partial<Handlers>;
}

function present<T extends { terms: ProposalTerms; isWhole: boolean }>({ isWhole, ...row }: T, { role }: Caller) {
  return { ...row, mayChange: isWhole && role !== "support" && mayPropose(role, row.terms) };
}

function auditProposal(
  queries: Queries,
  at: number,
  caller: Caller,
  action: string,
  { id, terms: { kind, title }, restaurants }: Pick<ProposalRecord, "id" | "terms" | "restaurants">,
  more: object = {},
): Promise<void> {
  const [only] = restaurants;
  return recordAudit(queries, at, {
    person: caller.login,
    action,
    ...(restaurants.length === 1 && only !== undefined ? { restaurantId: only } : {}),
    detail: { id, kind, title, restaurants: restaurants.length, ...more },
  });
}

/** Whether a role that may make proposals may make this one. */
const mayPropose = (role: Caller["role"], { kind }: ProposalTerms): boolean => role !== "region" || kind !== "settings";

function requireMayPropose({ role }: Caller, terms: ProposalTerms): void {
  if (!mayPropose(role, terms)) throw new Refusal("FORBIDDEN", "settings are not for your role");
}

function requireTimes(terms: ProposalTerms, now: number): void {
  const until = Date.parse(terms.until);
  if (until <= Date.parse(terms.at)) throw new Refusal("VALIDATION_ERROR", "proposal.until: must be after proposal.at");
  if (until <= now) throw new Refusal("VALIDATION_ERROR", "proposal.until: must be in the future");
  if (until > now + MAX_MS) throw new Refusal("VALIDATION_ERROR", "proposal.until: at most 90 days from now");
}

/** Rejects restaurants that do not exist, are outside the caller's groups or are closed for good, and names them. */
async function requireOpen({ query }: Queries, caller: Caller, ids: readonly string[]): Promise<void> {
  const scope = scopeOf(caller);
  const found = await query<{ id: string; name: string; isClosed: boolean }>(
    `SELECT r.id, r.name, r.is_closed AS "isClosed" FROM restaurants r WHERE r.id = ANY($2) AND ${isInScope(1)}`,
    [scope, ids],
  );
  const foundIds = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !foundIds.has(id)).map((name) => ({ name }));
  if (unknown.length > 0) {
    throw new Refusal(scope === null ? "VALIDATION_ERROR" : "NOT_FOUND", `no such restaurants: ${namesOf(unknown)}`);
  }
  const closed = found.filter(({ isClosed }) => isClosed);
  if (closed.length > 0) throw new Refusal("VALIDATION_ERROR", `closed for good: ${namesOf(closed)}`);
}

/** Locks and returns a proposal. Throws NOT_FOUND or FORBIDDEN if the caller may not change it. */
async function requireProposal(queries: Queries, caller: Caller, id: string): Promise<ProposalRecord> {
  const made = await lockProposal(queries, scopeOf(caller), id);
  if (made === null) throw new Refusal("NOT_FOUND", "there is no such proposal");
  requireMayPropose(caller, made.terms);
  if (made.outOfScope > 0) throw new Refusal("FORBIDDEN", "it was made to restaurants of other groups, too");
  return made;
}
