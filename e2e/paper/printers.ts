import { PrintJobPage } from "@comanda/protocol";
import { type FakePrinter, startFakePrinter } from "../../hub/test/fake-printer/fake-printer.ts";
import { callOperator } from "../support/call-operator.ts";
import type { Restaurant } from "../support/restaurant.ts";
import { readPaper } from "./read-paper.ts";

type PrintJob = (typeof PrintJobPage)["_output"]["jobs"][number];

/** Well above the time that working printers need. */
const FINISHED_WITHIN_MS = 60_000;

export type Printers = Awaited<ReturnType<typeof openPrinters>>;

/** Sets up a printer at each station, and one for receipts with a drawer. */
export async function openPrinters(restaurant: Restaurant, stations: readonly string[]) {
  const operator = operatorOf(restaurant);
  const printers: FakePrinter[] = [];
  const addPrinter = async (name: string, drawer: boolean): Promise<string> => {
    const printer = await startFakePrinter();
    printers.push(printer);
    const added = await operator("POST", "printers", { name, address: printer.address, drawer });
    return String(added["id"]);
  };
  const slips = new Map<string, string[]>();
  for (const station of stations) slips.set(station, [await addPrinter(station, false)]);
  const receipts = await addPrinter("receipts", true);
  await operator("PUT", "print-routes", { stations: Object.fromEntries(slips), receipts });

  async function allJobs(): Promise<PrintJob[]> {
    const jobs: PrintJob[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page = PrintJobPage.parse(await operator("GET", `print-jobs?limit=200${query}`));
      jobs.push(...page.jobs);
      cursor = page.nextCursor;
    }
    return jobs;
  }

  async function untilFinished(): Promise<void> {
    const deadline = performance.now() + FINISHED_WITHIN_MS;
    for (const state of ["waiting", "printing"]) {
      const hasJobs = async (): Promise<boolean> =>
        PrintJobPage.parse(await operator("GET", `print-jobs?state=${state}&limit=1`)).jobs.length > 0;
      while (await hasJobs()) {
        if (performance.now() > deadline) throw new Error(`print jobs are still ${state}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  return {
    receipts,
    operator,
    /**
     * Waits for the printers and returns a sentence for each difference. Every ticket must have one first slip and every paid
     * order one receipt, on paper or as an open question to a person.
     */
    async compare(tickets: readonly { ticketId: string }[], paid: Iterable<string>) {
      await untilFinished();
      const jobs = await allJobs();
      const sheets = printers.flatMap((printer) => printer.documents()).map(({ bytes }) => readPaper(bytes));
      return {
        sheets: sheets.length,
        questions: jobs.filter(({ isOpen }) => isOpen).length,
        differences: [
          ...tickets.flatMap(({ ticketId }) =>
            checkOriginal(jobs, `ticket:${ticketId}`, countFirstSlips(sheets, ticketId)),
          ),
          ...[...paid].flatMap((posReference) => checkOriginal(jobs, `receipt:${posReference}`, null)),
          ...compareReceipts(jobs, sheets),
        ],
      };
    },
    stop: async (): Promise<void> => void (await Promise.all(printers.map((printer) => printer.stop()))),
  };
}

type Sheet = ReturnType<typeof readPaper>;

const isCopy = ({ lines }: Sheet): boolean => lines.some((line) => /^\s*COPIA \d/.test(line));

/** Counts the originals of a ticket's first slip on paper; voids, moves and notes have slips of their own. */
function countFirstSlips(sheets: readonly Sheet[], ticketId: string): number {
  const code = ticketId.slice(0, 6);
  return sheets.filter(
    (sheet) =>
      sheet.lines.some((line) => line.trim() === code) &&
      !sheet.lines.some((line) => /ANULADO|CAMBIO DE MESA|^\s*NOTA\s*$/.test(line)) &&
      !isCopy(sheet),
  ).length;
}

/** Checks that a cause has one job that printed once, or is an open question. `onPaper`: how often it was found on paper. */
function checkOriginal(jobs: readonly PrintJob[], cause: string, onPaper: number | null): string[] {
  const own = jobs.filter((job) => job.cause === cause && job.copy === 0);
  const [job] = own;
  if (job === undefined || own.length > 1) return [`${cause} has ${own.length} print jobs`];
  if (job.state === "printed")
    return onPaper === null || onPaper === 1 ? [] : [`${cause} is on paper ${onPaper} times`];
  return job.isOpen && (onPaper ?? 0) <= 1 ? [] : [`${cause} is ${job.state}, and nobody is asked`];
}

/** Checks the number of receipts on paper: all printed jobs, and at most one more for each job of unknown outcome. */
function compareReceipts(jobs: readonly PrintJob[], sheets: readonly Sheet[]): string[] {
  const originals = jobs.filter(({ document, copy }) => document === "receipt" && copy === 0);
  const printed = originals.filter(({ state }) => state === "printed").length;
  const unknown = originals.filter(({ state }) => state === "unknown").length;
  const onPaper = sheets.filter(
    (sheet) => sheet.lines.some((line) => /Gracias por su visita/.test(line)) && !isCopy(sheet),
  );
  const isPlausible = onPaper.length >= printed && onPaper.length <= printed + unknown;
  return isPlausible ? [] : [`${onPaper.length} receipts came out, ${printed} are said to have, ${unknown} may have`];
}

function operatorOf(restaurant: Restaurant) {
  return async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const { status, answer } = await callOperator(restaurant, method, path, { body });
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer as Record<string, unknown>;
  };
}
