import type { ListedPrinter } from "@comanda/protocol";
import type { Tx } from "../../../changes/change.ts";
import { requireFound } from "../../../platform/errors.ts";
import { isoTime, type World } from "../../../platform/world.ts";
import { findPrinters } from "../../../printing/find-printers.ts";
import type { JobRow, JobStore } from "../../../printing/job-store.ts";
import { presentJob } from "../../../printing/present-job.ts";
import type { PrinterAdmin } from "../../../printing/printer-admin.ts";
import type { PrintService } from "../../../printing/print-service.ts";
import { testPage } from "../../../printing/test-page.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import { nextCursor, readCursor } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

/** Routes for printers, their assignments and print jobs. */
export function operatorPrintingRoutes(
  deps: Pick<Stores, "changes" | "audit" | "printers" | "spool"> & {
    world: World;
    printerAdmin: PrinterAdmin;
    jobs: JobStore;
    printService: Pick<PrintService, "conditionOf" | "printersChanged">;
    /** The restaurant's time zone, for times that people read. */
    timeZone: string;
  },
) {
  const { world, changes, audit, printers, printerAdmin, jobs, spool, printService } = deps;
  const startedAt = world.clock.now();

  function listed(): ListedPrinter[] {
    const waiting = jobs.countWaiting();
    return printers.list().map((printer) => {
      const { state, since } = printService.conditionOf(printer.id) ?? { state: "unknown", since: startedAt };
      return { ...printer, state, since: isoTime(since), waiting: waiting.get(printer.id) ?? 0 };
    });
  }

  /** Audits a decision under the names of the printer and the check, since a job has only an id. */
  function note(tx: Tx, by: string, action: "print_job.again" | "print_job.dismiss", job: JobRow): void {
    const printer = printers.list().find(({ id }) => id === job.sentTo);
    audit.record(tx, by, action, printer?.name ?? "", job.posReference);
  }

  function dismiss(tx: Tx, jobId: string, by: string): JobRow {
    const dismissed = spool.dismiss(tx, jobId);
    note(tx, by, "print_job.dismiss", dismissed);
    return dismissed;
  }

  /** Runs a write, then notifies the screens and the printer's lane. */
  async function change<T>(printerId: string | null, work: (tx: Tx) => T extends PromiseLike<unknown> ? never : T) {
    const result = await changes.write((tx) => {
      tx.notify(["printing"]);
      return work(tx);
    });
    if (printerId !== null) printService.printersChanged(printerId);
    return result;
  }

  const requireJob = (jobId: string) => requireFound(jobs.get(jobId), `there is no print job ${jobId}`);

  return {
    printers: () => ({ printers: listed() }),

    async addPrinter({ body, manager }) {
      const added = await change(null, (tx) => {
        const printer = printerAdmin.add(tx, body);
        audit.record(tx, manager.userName, "printer.add", printer.name, printer.address);
        return printer;
      });
      printService.printersChanged(added.id);
      return added;
    },
    changePrinter: ({ params: { printerId }, body, manager }) =>
      change(printerId, (tx) => {
        const printer = printerAdmin.change(tx, printerId, body);
        audit.record(tx, manager.userName, "printer.change", printer.name, printer.address);
        return printer;
      }),
    async removePrinter({ params: { printerId }, manager }) {
      await change(printerId, (tx) => {
        const { name } = printerAdmin.remove(tx, printerId);
        audit.record(tx, manager.userName, "printer.remove", name);
        return null;
      });
      return { deleted: true };
    },
    async testPrinter({ params: { printerId } }) {
      const printer = printerAdmin.find(printerId);
      const now = new Intl.DateTimeFormat("es-DO", {
        dateStyle: "short",
        timeStyle: "medium",
        timeZone: deps.timeZone,
      });
      const blocks = testPage(printer, now.format(world.clock.now()));
      const cause = `test:${world.random.uuid()}`;
      const id = await changes.write((tx) => spool.add(tx, { cause, document: "test", printerId, blocks })?.id ?? "");
      return { job: presentJob(requireJob(id)) };
    },
    async findPrinters() {
      const addresses = new Map(printers.list().map(({ id, address }) => [address.replace(/:9100$/, ""), id]));
      const found = await findPrinters(world);
      return {
        printers: found.map(({ address, state }) => {
          const printerId = addresses.get(address);
          return { address, state, ...(printerId !== undefined && { printerId }) };
        }),
      };
    },

    printRoutes: () => printers.routes(),
    setPrintRoutes: ({ body, manager }) =>
      change(null, (tx) => {
        audit.record(tx, manager.userName, "print_routes.change", "");
        return printerAdmin.setRoutes(tx, body);
      }),

    printJobs({ query: { state, printer, cause, open, cursor, limit } }) {
      const rows = jobs.page({ state, printerId: printer, cause, isOpen: open === "true" }, readCursor(cursor), limit);
      return { jobs: rows.map(presentJob), nextCursor: nextCursor(rows, limit, ({ id }) => id) };
    },
    printJob({ params: { jobId } }) {
      const job = requireJob(jobId);
      return { ...presentJob(job), blocks: spool.blocksOf(job) ?? [] };
    },
    async printAgain({ params: { jobId }, manager }) {
      const job = await changes.write((tx) => {
        const copy = spool.again(tx, jobId);
        note(tx, manager.userName, "print_job.again", copy);
        return copy;
      });
      return { job: presentJob(job) };
    },
    async dismissPrintJob({ params: { jobId }, manager }) {
      return { job: presentJob(await changes.write((tx) => dismiss(tx, jobId, manager.userName))) };
    },
    async dismissPrintJobs({ body: { jobIds }, manager }) {
      await changes.write((tx) => jobIds.forEach((jobId) => dismiss(tx, jobId, manager.userName)));
      return { dismissed: jobIds.length };
    },
  } satisfies Partial<OperatorHandlers>;
}
