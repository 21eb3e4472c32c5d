import type { Feed, LiveFloorPlan, PlanTable, StreamEvent } from "@comanda/protocol";
import { hubCache, hubKey } from "../../lib/hub.ts";

const FEED_LENGTH = 100;

/** Puts changed tables into the floor plan and news on top of the feed. */
export function applyToService(events: readonly StreamEvent[]): void {
  const tables = new Map<number, PlanTable>();
  const news: Feed["entries"] = [];
  for (const event of events) {
    if (event.type === "table") tables.set(event.table.tableId, event.table);
    if (event.type === "feed") news.unshift(event.entry);
  }
  if (tables.size > 0) {
    hubCache.setQueryData<LiveFloorPlan>(hubKey("floorPlan"), (plan) => plan && withTables(plan, tables));
  }
  if (news.length > 0) {
    hubCache.setQueryData<Feed>(hubKey("feed"), (feed) => feed && withNews(feed, news));
  }
}

/** Floors without a changed table stay the same object, so that they are not drawn again. */
function withTables(plan: LiveFloorPlan, changed: ReadonlyMap<number, PlanTable>): LiveFloorPlan {
  const floors = plan.floors.map((floor) =>
    floor.tables.some((table) => changed.has(table.tableId))
      ? { ...floor, tables: floor.tables.map((table) => changed.get(table.tableId) ?? table) }
      : floor,
  );
  return { ...plan, floors };
}

/** An entry that was read and streamed is kept once. */
function withNews(feed: Feed, news: Feed["entries"]): Feed {
  const known = new Set(feed.entries.map((entry) => entry.id));
  const fresh = news.filter((entry) => !known.has(entry.id));
  return { entries: [...fresh, ...feed.entries].slice(0, FEED_LENGTH) };
}
