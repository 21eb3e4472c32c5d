import type { Core } from "./create-core.ts";
import { readHubStatus } from "./hub-status.ts";
import type { Peers } from "../platform/peer-address.ts";
import type { TableRules } from "../tables/table-rules.ts";
import { createStatusUpdates } from "../terminals/broadcasts/status-updates.ts";
import { createSessionRecheck } from "../terminals/sign-in/recheck-sessions.ts";
import type { TerminalDeps } from "../terminals/terminal-deps.ts";
import { createTerminalServer } from "../terminals/terminal-server.ts";

export type Terminals = ReturnType<typeof createTerminals>;

/** Builds the terminal connections and the background updates about them. */
export function createTerminals(
  deps: Pick<Core, "stores" | "backOffice" | "orderCommands" | "background" | "sync"> &
    Pick<TerminalDeps, "world" | "config" | "reportLossOf" | "onTerminal"> & { peers: Peers; tableRules: TableRules },
) {
  const { world, config, stores, backOffice, background, onTerminal } = deps;
  const { changes, leases, terminalStore, people, counts, audit, watch } = stores;
  const { identities, pos, reachability } = backOffice;
  const { offers, fiscalNumbers, ncfSequences } = background;
  const { maintenance } = background.storage;
  const statusUpdates = createStatusUpdates(
    world,
    () => readHubStatus({ counts, reachability, maintenance, watch, ncfSequences }),
    (message) => terminals.sendToAll(message),
  );
  const terminals = createTerminalServer({
    world,
    config,
    changes,
    leases,
    peerOf: deps.peers.addressOf,
    identities,
    pos,
    tables: deps.tableRules,
    applyTerminalChange: deps.orderCommands.applyTerminalChange,
    sync: deps.sync,
    reportLossOf: deps.reportLossOf,
    terminalStore,
    people,
    noteRenamed(tx, { from, to }, userName) {
      audit.record(tx, userName, "terminal.rename", to, from);
      const detail = { terminalId: to, userName, text: from };
      tx.notify(["terminals"], { kind: "terminal_renamed", level: "info", detail });
    },
    offers,
    completeAnswer: fiscalNumbers.completeAnswer,
    status: statusUpdates.read,
    onTerminal,
  });
  return {
    terminals,
    statusUpdates,
    sessionRecheck: createSessionRecheck({
      world,
      identities,
      terminals,
      onChanged: (active) => onTerminal("reported", active),
      everyMs: config.sessionRecheckMs,
    }),
  };
}
