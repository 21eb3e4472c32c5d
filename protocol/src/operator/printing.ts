import { z } from "zod";
import { Deleted, route } from "../http/http-route.ts";
import {
  Block,
  Printer,
  PrinterId,
  PrinterState,
  PrintJobNews,
  PrintJobState,
  PrintRoutes,
} from "../orders/printing.ts";
import { Instant, nextCursor, paging } from "./common.ts";

/** A printer with its last known state; `waiting`: the number of jobs that are not printed yet. */
export const ListedPrinter = Printer.extend({ state: PrinterState, since: Instant, waiting: z.int() });
export type ListedPrinter = z.infer<typeof ListedPrinter>;

/** What a printer may be without; null stands for that. */
const removable = {
  model: Printer.shape.model.nullable(),
  codePage: Printer.shape.codePage.nullable(),
  fallback: Printer.shape.fallback.nullable(),
};

export const NewPrinter = z.strictObject({
  ...Printer.shape,
  ...removable,
  id: PrinterId.optional(),
  width: Printer.shape.width.default(80),
  cutter: z.boolean().default(true),
  drawer: z.boolean().default(false),
});
export type NewPrinter = z.infer<typeof NewPrinter>;

/** An omitted field stays unchanged; null removes the value. */
export const PrinterPatch = z.strictObject({ ...Printer.omit({ id: true }).partial().shape, ...removable });
export type PrinterPatch = z.infer<typeof PrinterPatch>;

/** A printer found on the network that can be added. */
export const FoundPrinter = z.object({
  address: z.string(),
  state: PrinterState,
  /** The configured printer with this address. */
  printerId: PrinterId.optional(),
});
export type FoundPrinter = z.infer<typeof FoundPrinter>;

export const PrintJob = z.object({
  ...PrintJobNews.omit({ printer: true, settled: true }).shape,
  /** A receipt that waits for its fiscal answer, not for the printer. */
  isHeld: z.literal(true).optional(),
  cause: z.string(),
  /** Empty if no printer was configured for it. */
  printerId: z.union([PrinterId, z.literal("")]),
  /** The fallback printer that it was sent to. */
  sentTo: PrinterId.optional(),
  stationId: z.string().optional(),
  terminalId: z.string().optional(),
  /** 0 is the original. A copy prints COPIA with this number. */
  copy: z.int(),
  createdAt: Instant,
  printedAt: Instant.optional(),
  /** It failed, or may have, and needs a decision. */
  isOpen: z.boolean(),
});
export type PrintJob = z.infer<typeof PrintJob>;

export const PrintJobDetail = PrintJob.extend({ blocks: z.array(Block) });

export const PrintJobQuery = z.strictObject({
  state: PrintJobState.optional(),
  printer: PrinterId.optional(),
  cause: z.string().max(256).optional(),
  open: z.literal("true").optional(),
  ...paging,
});

/** Newest first. */
export const PrintJobPage = z.object({ jobs: z.array(PrintJob), nextCursor });

export const PrintJobAnswer = z.object({ job: PrintJob });

export const printingRoutes = {
  printers: route("GET", "/operator/v1/printers", "manager", {
    summary: "Lists the printers with their last known states.",
    answer: z.object({ printers: z.array(ListedPrinter) }),
  }),
  addPrinter: route("POST", "/operator/v1/printers", "manager", {
    summary: "Adds a printer.",
    body: NewPrinter,
    answer: Printer,
    status: 201,
    errors: ["LIMIT_REACHED"],
  }),
  changePrinter: route("PATCH", "/operator/v1/printers/:printerId", "manager", {
    summary: "Changes a printer. The change also applies to jobs waiting for it.",
    body: PrinterPatch,
    answer: Printer,
  }),
  removePrinter: route("DELETE", "/operator/v1/printers/:printerId", "manager", {
    summary: "Removes a printer, also from the print routes. Jobs waiting for it fail.",
    answer: Deleted,
  }),
  testPrinter: route("POST", "/operator/v1/printers/:printerId/test", "manager", {
    summary: "Prints a test page.",
    answer: PrintJobAnswer,
    status: 202,
  }),
  findPrinters: route("POST", "/operator/v1/printers/find", "manager", {
    summary: "Searches the networks of the hub's PC for printers: at most 1,024 addresses, for at most 10 s.",
    answer: z.object({ printers: z.array(FoundPrinter) }),
  }),
  printRoutes: route("GET", "/operator/v1/print-routes", "manager", {
    summary: "Returns which printer prints what.",
    answer: PrintRoutes,
  }),
  setPrintRoutes: route("PUT", "/operator/v1/print-routes", "manager", {
    summary: "Sets which printer prints what.",
    body: PrintRoutes,
    answer: PrintRoutes,
  }),
  printJobs: route("GET", "/operator/v1/print-jobs", "manager", {
    summary:
      "Lists print jobs: printed, waiting, failed or possibly printed. `printer` matches the printer of a job or the fallback that it was sent to.",
    query: PrintJobQuery,
    answer: PrintJobPage,
  }),
  printJob: route("GET", "/operator/v1/print-jobs/:jobId", "manager", {
    summary: "Returns a print job with the content of its document, for a preview.",
    answer: PrintJobDetail,
  }),
  printAgain: route("POST", "/operator/v1/print-jobs/:jobId/again", "manager", {
    summary:
      "Reprints a finished job as a new job: as the original if nothing was sent to the printer, otherwise as a marked copy. Returns PRINTING while the job is waiting or being printed.",
    answer: PrintJobAnswer,
    errors: ["PRINTING"],
  }),
  dismissPrintJob: route("POST", "/operator/v1/print-jobs/:jobId/dismiss", "manager", {
    summary: "Dismisses a job that is waiting, failed or possibly printed. Returns PRINTING while it is being printed.",
    answer: PrintJobAnswer,
    errors: ["PRINTING"],
  }),
  dismissPrintJobs: route("POST", "/operator/v1/print-jobs/dismiss", "manager", {
    summary: "Dismisses several jobs, all or none of them. Returns PRINTING while one is being printed.",
    body: z.strictObject({ jobIds: z.array(z.string().max(64)).min(1).max(100) }),
    answer: z.object({ dismissed: z.int() }),
    errors: ["NOT_FOUND", "PRINTING"],
  }),
};
