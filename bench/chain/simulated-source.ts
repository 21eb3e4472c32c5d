import type { ChainHead, ChainObject, ChainSource } from "../../hub/chain/source/chain-source.ts";
import type { SimulatedRestaurant } from "../../headquarters/test/simulated-restaurant.ts";

/** Returns a restaurant in memory in the form in which a hub's publisher reads its data file. */
export function simulatedSource(restaurant: SimulatedRestaurant): ChainSource {
  function find({ kind, seq, key }: ChainHead): { name: string; value: object } | null {
    const { orders, removed, tables, items } = restaurant.history;
    switch (kind) {
      case "orders": {
        const found = orders.get(String(key));
        return found?.seq === seq ? { name: "order", value: found.order } : null;
      }
      case "removed": {
        const found = removed.get(String(key));
        return found?.seq === seq ? { name: "", value: found.removal } : null;
      }
      case "tables": {
        const found = tables.get(Number(key));
        return found?.seq === seq ? { name: "table", value: found.table } : null;
      }
      case "items": {
        const found = items.get(String(key));
        return found?.seq === seq ? { name: "item", value: found.item } : null;
      }
    }
  }

  function newest(after: number): ChainHead[] {
    const { log } = restaurant.history;
    let start = log.length;
    while (start > 0 && (log[start - 1]?.seq ?? 0) > after) start -= 1;
    return log.slice(start).filter((head) => find(head) !== null);
  }

  return {
    atRest: async (work) => work(),
    identity() {
      const { generation, epoch, formerEpochs, seq } = restaurant.history;
      return { hubId: restaurant.hubId, generation, epoch, formerEpochs, seq, lowWater: restaurant.lowWater };
    },
    envelope: () => ({ clock: { isTrusted: true, zone: "America/Santo_Domingo" }, hub: { version: "0.1.0" } }),
    newestSeq: () => restaurant.history.seq,
    listChangedAfter: (seq, limit) => newest(seq).slice(0, limit),
    listAll: () => newest(0),
    read: (heads) =>
      heads.flatMap((head): ChainObject[] => {
        const found = find(head);
        if (found === null) return [];
        const { name, value } = found;
        const json = JSON.stringify(name === "" ? value : { seq: head.seq, [name]: value });
        return [{ kind: head.kind, seq: head.seq, present: () => json, presentSmall: () => json }];
      }),
    listFactsAfter: (id, limit) => restaurant.history.facts.filter((fact) => fact.id > id).slice(0, limit),
    lastFactId: () => restaurant.history.factId,
  };
}
