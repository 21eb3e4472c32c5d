import type { StoredOrder } from "@comanda/protocol";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { Db } from "../../db/open.ts";
import { KNOWN_AS_LOST, readFormerEpochs } from "../../db/restore/former-epochs.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import { readShowableBody } from "../../orders/store/stored-body.ts";
import type { VersionPeopleStore } from "../../people/version-people.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { TableStore } from "../../tables/table-store.ts";
import type { ChainHead, ChainIdentity, ChainObject, ChainSource } from "./chain-source.ts";
import { createChangedRows, type RemovalRow } from "./changed-rows.ts";
import type { FactStore } from "./fact-store.ts";
import { withoutGuests } from "./without-guests.ts";

interface SourceDeps {
  world: World;
  db: Db;
  changes: Pick<ChangeLog, "read">;
  orders: Pick<OrderStore, "wireOf">;
  tables: Pick<TableStore, "get">;
  versionPeople: Pick<VersionPeopleStore, "findByOrder">;
  facts: Pick<FactStore, "listAfter" | "lastId">;
  envelope: ChainSource["envelope"];
  sharesGuests: boolean;
  onDamage(description?: string): void;
}

/** Reads a hub's data file for its publisher. */
export function createHubSource(deps: SourceDeps): ChainSource {
  const { db, facts, changes } = deps;
  const rows = createChangedRows(db);
  const state = db.prepare<[], Omit<ChainIdentity, "formerEpochs">>(
    "SELECT hub_id AS hubId, generation, epoch, seq, low_water_seq AS lowWater FROM hub_state",
  );

  return {
    atRest: changes.read,
    identity() {
      const row = state.get();
      if (row === undefined) throw new Error("the data file has no hub state");
      const formerEpochs = readFormerEpochs(db).map(({ epoch, seq }) => ({
        epoch,
        seq: seq === KNOWN_AS_LOST ? 0 : seq,
      }));
      return { ...row, formerEpochs };
    },
    envelope: deps.envelope,
    newestSeq: rows.newestSeq,
    listChangedAfter: rows.listChangedAfter,
    listAll: rows.listAll,
    read: (heads) => heads.flatMap((head) => readObject(deps, rows, head) ?? []),
    listFactsAfter: facts.listAfter,
    lastFactId: facts.lastId,
  };
}

function readObject(deps: SourceDeps, rows: ReturnType<typeof createChangedRows>, head: ChainHead): ChainObject | null {
  const { kind, seq } = head;
  const key = String(head.key);
  const entry = (name: string, json: string): string => `{"seq":${seq},"${name}":${json}}`;
  const small = (bytes: number): string => JSON.stringify({ seq, posReference: key, tooLarge: true, bytes });
  switch (kind) {
    case "orders": {
      const row = rows.order(key, seq);
      if (row === null) return null;
      const present = (): string | null => {
        const wire = deps.orders.wireOf([row])[0];
        if (wire === undefined) return null;
        return entry("order", JSON.stringify(withoutGuests(JSON.parse(wire) as StoredOrder, deps.sharesGuests)));
      };
      return { kind, seq, present, presentSmall: small };
    }
    case "removed": {
      const row = rows.removal(key, seq);
      if (row === null) return null;
      return {
        kind,
        seq,
        present: () => JSON.stringify({ seq, ...removalHead(deps, row), ...removedContent(deps, row) }),
        presentSmall: () => JSON.stringify({ seq, ...removalHead(deps, row) }),
      };
    }
    case "tables": {
      const tableId = Number(head.key);
      const table = rows.tableSeq(tableId) === seq ? deps.tables.get(tableId, deps.world.clock.now()) : null;
      return table && { kind, seq, present: () => entry("table", JSON.stringify(table)), presentSmall: small };
    }
    case "items": {
      const body = rows.item(key, seq);
      return body === null ? null : { kind, seq, present: () => entry("item", body), presentSmall: small };
    }
  }
}

function removalHead({ versionPeople }: SourceDeps, row: RemovalRow) {
  const { posReference, version, reason, mergedInto, removedAt } = row;
  const by = versionPeople.findByOrder(posReference).get(version)?.userName;
  return {
    posReference,
    version,
    ...(mergedInto !== null && { mergedInto: parseColumn<string[]>(mergedInto, []) }),
    ...(reason !== null && { reason }),
    ...(by !== undefined && { by }),
    at: isoTime(removedAt),
  };
}

/** Returns what the check held when it was discarded. */
function removedContent({ sharesGuests, onDamage }: SourceDeps, row: RemovalRow): { last?: StoredOrder } {
  const last = readShowableBody(row, onDamage);
  return last === null ? {} : { last: withoutGuests(last, sharesGuests) };
}
