import { pino } from "pino";
import type { Block, PrintDocument, Printer } from "@comanda/protocol";
import { createChangeLog } from "../../changes/change-log.ts";
import type { Change } from "../../changes/change.ts";
import { type Db, openMemory } from "../../db/open.ts";
import { realWorld, type World } from "../../platform/world.ts";
import { createJobStore } from "../../printing/job-store.ts";
import { createPrinters } from "../../printing/printers.ts";
import { createPrintService } from "../../printing/print-service.ts";
import { createSpool } from "../../printing/spool.ts";

const quick = { pollMs: 200, fallbackMs: 600, expireMs: 60_000 };

export type TestSpool = ReturnType<typeof openSpool>;

/** Creates a real world with a silent log. */
export function quietWorld(): World {
  return realWorld(pino({ level: process.env["TEST_LOG"] ?? "silent" }));
}

/** Opens an in-memory data file that two spools may use in turn. */
export function memoryFile(): Db {
  return openMemory(quietWorld());
}

/** Opens a spool on a data file, without the rest of the hub. */
export function openSpool(settings: Partial<typeof quick> = {}, file?: Db, worldOverrides: Partial<World> = {}) {
  const world = { ...quietWorld(), ...worldOverrides };
  const db = file ?? openMemory(world);
  const changes = createChangeLog(db, world);
  const printers = createPrinters(db);
  const jobs = createJobStore(db);
  const spool = createSpool({ world, jobs, printers });
  const service = createPrintService({ world, changes, jobs, printers, spool, ...quick, ...settings });
  /** Print changes sent to terminals. */
  const printChanges: Extract<Change, { kind: "print.changed" }>[] = [];
  changes.addListener(service.follow);
  changes.addListener((group) => {
    for (const change of group) if (change.kind === "print.changed" && change.notifies) printChanges.push(change);
  });
  return {
    changes,
    printers,
    jobs,
    spool,
    service,
    printChanges,
    async addPrinter(id: string, address: string, more: Partial<Printer> = {}): Promise<void> {
      const printer = { id, name: id.toUpperCase(), address, width: 80, cutter: true, drawer: true, ...more } as const;
      await changes.write((tx) => printers.save(tx, printer));
      service.printersChanged(id);
    },
    /** Adds a document whose text is its cause, unless `blocks` are given. */
    add: (
      cause: string,
      printerId: string,
      more: {
        document?: PrintDocument;
        blocks?: Block[];
        opensDrawer?: true;
        heldUntil?: number;
        terminalId?: string;
        stationId?: string;
      } = {},
    ) =>
      changes.write((tx) => {
        const blocks: Block[] = [{ kind: "text", text: cause }];
        return spool.add(tx, { cause, printerId, document: "receipt", blocks, ...more });
      }),
    again: (id: string, terminalId?: string) => changes.write((tx) => spool.again(tx, id, terminalId)),
    dismiss: (id: string, terminalId?: string) => changes.write((tx) => spool.dismiss(tx, id, terminalId)),
    /** Returns state and error of each job of a cause, oldest first. */
    states: (cause: string) =>
      jobs.listByCause(cause).map(({ state, error }) => (error === null ? state : `${state} ${error}`)),
  };
}
