import type { FoundIds } from "../db/count-up-to.ts";
import { defineQuery } from "../jobs/job.ts";
import { countEvents, findEvents, type EventFilter } from "./find-events.ts";

/** A page of forward events among all that there ever were, and how many there are. */
export const findForwardEventsJob = defineQuery(
  "findForwardEvents",
  (db, wanted: { file: string; filter: EventFilter; from: number | null; limit: number }): FoundIds => {
    const { filter, from, limit } = wanted;
    return { ids: findEvents(db, filter, from, limit), ...countEvents(db, filter) };
  },
);
