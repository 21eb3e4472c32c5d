import type { OrderCommands } from "./create-order-commands.ts";
import type { Stores } from "../stores/create-stores.ts";
import { createCachedPaperContext } from "../documents/cached-paper-context.ts";
import { keepWriting } from "../documents/keep-writing.ts";
import { createPaperStations } from "../documents/paper-stations.ts";
import { createPrintRequests } from "../documents/print-requests.ts";
import { receiptRecorder } from "../documents/receipts.ts";
import { createStationSlips } from "../documents/station-slips.ts";
import { createUnseenTickets } from "../documents/unseen-tickets.ts";
import type { PointOfSale } from "../orders/point-of-sale.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";

/** Builds the printing of documents. */
export function createDocuments(deps: {
  config: HubConfig;
  worldOf: (component: string) => World;
  stores: Stores;
  pos: PointOfSale;
  orderCommands: OrderCommands;
}) {
  const { config, worldOf, stores, pos, orderCommands } = deps;
  const { changes, orders, tickets, printers, printJobs: jobs, spool } = stores;
  const paperContext = createCachedPaperContext(pos.config, config.timeZone);
  const { rulebook, orderWriter } = orderCommands;

  const slips = createStationSlips({ printers, spool, jobs, orders, tickets, paperContext });
  const paper = createPaperStations({ printers, jobs, rulebook, orderWriter });
  const receipts = receiptRecorder({ printers, spool, jobs, paperContext, receiptWaitMs: config.receiptWaitMs });
  const unseenTickets = createUnseenTickets({
    world: worldOf("printing"),
    changes,
    tickets,
    printers,
    jobs,
    slips,
    paper,
    unseenMs: config.printUnseenMs,
  });
  return {
    requests: createPrintRequests({ printers, spool, jobs, orders, tickets, paperContext, till: orderCommands.till }),
    /** Run in the transaction of each change. */
    recorders: [slips.record, receipts, paper.record].map((record) => keepWriting(worldOf("printing"), record)),
    unseenTickets,
  };
}
