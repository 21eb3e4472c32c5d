import type { FoundIds } from "../db/count-up-to.ts";
import { defineQuery } from "../jobs/job.ts";
import { countDeliveries, findDeliveries, type DeliveryPage } from "./find-deliveries.ts";

/** A page of webhook deliveries by event or subject, and how many there are. */
export const findWebhookDeliveriesJob = defineQuery(
  "findWebhookDeliveries",
  (db, { page }: { file: string; page: DeliveryPage }): FoundIds => {
    const { below: _, limit: __, ...filter } = page;
    return { ids: findDeliveries(db, page), ...countDeliveries(db, filter) };
  },
);
