import type { ChainService } from "../chain/chain-service.ts";
import type { HubAccess } from "./create-access.ts";
import type { Core } from "./create-core.ts";
import type { Operator } from "./create-operator.ts";
import type { Terminals } from "./create-terminals.ts";
import type { PortServer } from "../http/port/port-server.ts";
import type { ListedPart, Part } from "./lifecycle.ts";
import type { PracticeService } from "../practice/practice-service.ts";
import type { TableRules } from "../tables/table-rules.ts";

/** Lists everything that runs, in start order. Parts stop in reverse. */
export function listParts(
  hub: Pick<Core, "stores" | "backOffice" | "background" | "documents"> & {
    access: HubAccess;
    tableRules: TableRules;
    http: Pick<PortServer, "close">;
    terminalParts: Terminals;
    operator: Operator;
    practice: PracticeService;
    chain: ChainService;
    announcing: Part;
    runningNote: Part;
  },
): ListedPart[] {
  const { changes, time, leases, itemStates } = hub.stores;
  const { polling, identities, reachability } = hub.backOffice;
  const { lookups, fiscalNumbers, electronicReceipts, forwarder, storage, webhooks, jobs } = hub.background;
  const { keyUses, pluginService, printService, ticketExpiry } = hub.background;
  const { terminals, statusUpdates, sessionRecheck } = hub.terminalParts;
  const { http, tableRules, operator, practice, chain, announcing, runningNote } = hub;
  const { pinSessions } = hub.access;

  return [
    { at: "start", part: { stop: changes.settled } },
    { at: "start", part: { stop: reachability.stop } },
    { at: "work", part: time },
    { at: "start", part: leases },
    { at: "start", part: { stop: pinSessions.stop } },
    { at: "start", part: itemStates },
    { at: "start", part: tableRules },
    { at: "work", part: keyUses },
    { at: "start", part: webhooks.dispatcher },
    { at: "work", part: polling },
    { at: "work", part: lookups },
    { at: "work", part: identities },
    { at: "work", part: fiscalNumbers },
    { at: "work", part: forwarder },
    { at: "work", part: electronicReceipts },
    { at: "work", part: pluginService },
    { at: "work", part: ticketExpiry },
    { at: "work", part: printService },
    { at: "work", part: hub.documents.unseenTickets },
    { at: "work", part: webhooks.pruning },
    { at: "work", part: storage.retention },
    // The port opens before other work begins: if it is taken, nothing starts.
    { at: "start", part: { stop: http.close } },
    { at: "start", part: terminals },
    { at: "work", part: sessionRecheck },
    // Stops before the data file is closed: the last connection truncates the log and must be the writing one.
    { at: "start", part: { stop: jobs.stop } },
    { at: "work", part: statusUpdates },
    { at: "work", part: operator },
    { at: "work", part: storage.maintenance },
    { at: "work", part: storage.dailyBackups },
    { at: "work", part: storage.secondFolder },
    { at: "work", part: storage.checkpoints },
    { at: "work", part: storage.backgroundCheck },
    { at: "work", part: practice },
    { at: "work", part: chain },
    { at: "start", part: announcing },
    { at: "start", part: runningNote },
  ];
}
