import type { ChainFact } from "@comanda/protocol/chain.ts";
import type { Db } from "../../db/open.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { isoTime } from "../../platform/world.ts";

/** How many facts are kept while headquarters are away. */
const MAX_FACTS = 10_000;
/** How many are dropped at once. */
const DROP_COUNT = 100;

/** A fact for headquarters about something without a `seq`. */
export interface NewFact {
  kind: string;
  body: Record<string, unknown>;
  /** Concerns money: never dropped to make room. */
  isMoney?: boolean;
}

export type FactStore = ReturnType<typeof createFactStore>;

interface FactRow {
  id: number;
  at: number;
  kind: string;
  body: string;
}

/** Stores events at the restaurant without a `seq`: shifts, restores, backups, outcomes of proposals. */
export function createFactStore(db: Db, maxFacts = MAX_FACTS) {
  const insert = db.prepare<{ at: number; kind: string; body: string; isMoney: 0 | 1 }>(
    "INSERT INTO chain_facts (at, kind, body, is_money) VALUES (@at, @kind, @body, @isMoney)",
  );
  const listAfter = db.prepare<[number, number], FactRow>(
    "SELECT id, at, kind, body FROM chain_facts WHERE id > ? ORDER BY id LIMIT ?",
  );
  const lastId = db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'chain_facts'").pluck();
  const count = db.prepare<[], number>("SELECT count(*) FROM chain_facts").pluck();
  const oldest = db.prepare<[number], { id: number; at: number }>(
    "SELECT id, at FROM chain_facts INDEXED BY chain_fact_without_money WHERE is_money = 0 ORDER BY id LIMIT ?",
  );
  const remove = db.prepare<[number]>("DELETE FROM chain_facts WHERE id = ?");

  function save(at: number, { kind, body, isMoney = false }: NewFact): void {
    insert.run({ at, kind, body: JSON.stringify(body), isMoney: isMoney ? 1 : 0 });
  }

  /** Drops the oldest facts that do not concern money if there are too many, and records how many and from when. */
  function makeRoom(now: number): void {
    if ((count.get() ?? 0) <= maxFacts) return;
    const dropped = oldest.all(DROP_COUNT);
    const [first] = dropped;
    const last = dropped.at(-1);
    if (first === undefined || last === undefined) return;
    for (const { id } of dropped) remove.run(id);
    const body = { count: dropped.length, from: isoTime(first.at), to: isoTime(last.at) };
    save(now, { kind: "facts.dropped", body, isMoney: true });
  }

  return {
    /** Records a fact in the caller's transaction. */
    record(at: number, fact: NewFact): void {
      save(at, fact);
      makeRoom(at);
    },
    listAfter: (id: number, limit: number): ChainFact[] =>
      listAfter
        .all(id, limit)
        .map((row) => ({ ...row, at: isoTime(row.at), body: parseColumn<ChainFact["body"]>(row.body, {}) })),
    /** Returns the highest id ever assigned. */
    lastId: (): number => lastId.get() ?? 0,
  };
}
