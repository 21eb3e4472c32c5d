import { PrintJobPage } from "@comanda/protocol";
import type { Terminal } from "@comanda/terminal";
import { type FakePrinter, startFakePrinter } from "../../hub/test/fake-printer/fake-printer.ts";
import type { Restaurant } from "../support/restaurant.ts";
import { readPaper } from "../paper/read-paper.ts";
import type { Stage } from "./stage.ts";
import { untilAcknowledged } from "./until-acknowledged.ts";

type PrintJob = (typeof PrintJobPage)["_output"]["jobs"][number];

/** The printers and the drawer of the evening. */
export interface PaperOfEvening {
  /** Counts the drawer, in which `cash` lies, and closes its shift. */
  closeShift(cash: number): Promise<void>;
  /** What was not on paper, or twice; answers each difference as a sentence. */
  compare(tickets: readonly { ticketId: string }[], paid: Iterable<string>): Promise<string[]>;
  stop(): Promise<void>;
}

const TILL = "caja";
/** What the drawer begins with. */
export const FLOAT = 2_000;

/** A printer at each station, one at the till with its drawer, and the shift of that opened. */
export async function openPaper(
  restaurant: Restaurant,
  { stage, stations, cashier }: { stage: Stage; stations: readonly string[]; cashier: Terminal },
): Promise<PaperOfEvening> {
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
  const receipts = await addPrinter("till", true);
  await operator("PUT", "print-routes", { stations: Object.fromEntries(slips), receipts });
  await operator("POST", "tills", { id: TILL, name: "Caja", printer: receipts, terminals: [cashier.deviceId] });
  stage.say("demo", `printers     ${stations.join(", ")} and the till's, with its drawer`);
  const { shiftId, ...opened } = cashier.openShift(TILL, FLOAT);
  await untilAcknowledged(opened);
  stage.say("till", `opens the shift with ${FLOAT.toFixed(2)} in the drawer`);

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

  return {
    async closeShift(cash) {
      const methodId = cashier.menu()?.paymentMethods.find(({ type }) => type === "cash")?.id ?? 1;
      await untilAcknowledged(cashier.countShift({ shiftId, counted: [{ methodId, amount: cash }] }));
      stage.say("till", `counts ${cash.toFixed(2)} and closes the shift`);
    },

    async compare(tickets, paid) {
      const waits = ({ state }: PrintJob) => state === "waiting" || state === "printing" || state === "held";
      await stage.until("the printers to finish", async () => !(await allJobs()).some(waits) || undefined);
      const jobs = await allJobs();
      const sheets = printers.flatMap((printer) => printer.documents()).map(({ bytes }) => readPaper(bytes));
      const shift = await operator("GET", `shifts/${shiftId}`);
      stage.say(
        "closing",
        `${sheets.length} sheets of paper, ${jobs.filter(({ isOpen }) => isOpen).length} open questions`,
      );
      return [
        ...[...tickets].flatMap(({ ticketId }) => originalOf(jobs, `ticket:${ticketId}`, slipsWith(sheets, ticketId))),
        ...[...paid].flatMap((posReference) => originalOf(jobs, `receipt:${posReference}`, null)),
        ...compareReceipts(jobs, sheets),
        ...compareDrawer(shift),
      ];
    },

    stop: async () => void (await Promise.all(printers.map((printer) => printer.stop()))),
  };
}

type Sheet = ReturnType<typeof readPaper>;

const isCopy = ({ lines }: Sheet): boolean => lines.some((line) => /^\s*COPIA \d/.test(line));

/** The originals of a ticket's first slip on paper: what was void of it has a slip of its own. */
function slipsWith(sheets: readonly Sheet[], ticketId: string): number {
  const code = ticketId.slice(0, 6).toUpperCase();
  return sheets.filter(
    (sheet) =>
      sheet.lines.some((line) => line.trim() === code) &&
      !sheet.lines.some((line) => /ANULADO|CAMBIO DE MESA/.test(line)) &&
      !isCopy(sheet),
  ).length;
}

/** A cause is one job that came out once, or a question that somebody is asked. `onPaper`: how often it lies there. */
function originalOf(jobs: readonly PrintJob[], cause: string, onPaper: number | null): string[] {
  const own = jobs.filter((job) => job.cause === cause && job.copy === 0);
  const [job] = own;
  if (job === undefined || own.length > 1) return [`${cause} has ${own.length} print jobs`];
  if (job.state === "printed")
    return onPaper === null || onPaper === 1 ? [] : [`${cause} is on paper ${onPaper} times`];
  return job.isOpen && (onPaper ?? 0) <= 1 ? [] : [`${cause} is ${job.state}, and nobody is asked`];
}

/** As many receipts came out as jobs say, and at most one more for each that is unknown. */
function compareReceipts(jobs: readonly PrintJob[], sheets: readonly Sheet[]): string[] {
  const originals = jobs.filter(({ document, copy }) => document === "receipt" && copy === 0);
  const printed = originals.filter(({ state }) => state === "printed").length;
  const unknown = originals.filter(({ state }) => state === "unknown").length;
  const onPaper = sheets.filter(
    (sheet) => sheet.lines.some((line) => /Gracias por su visita/.test(line)) && !isCopy(sheet),
  );
  const isRight = onPaper.length >= printed && onPaper.length <= printed + unknown;
  return isRight ? [] : [`${onPaper.length} receipts came out, ${printed} are said to have, ${unknown} may have`];
}

function compareDrawer(shift: Record<string, unknown>): string[] {
  const byMethod = (shift["byMethod"] ?? []) as { methodId: number | string; difference: number | null }[];
  const wrong = byMethod.filter(({ difference }) => difference !== null && difference !== 0);
  const differences = wrong.map(
    ({ methodId, difference }) => `the drawer differs by ${difference} (method ${methodId})`,
  );
  return shift["state"] === "closed" ? differences : [`the shift is ${String(shift["state"])}`, ...differences];
}

function operatorOf(restaurant: Restaurant) {
  return async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(new URL(`/operator/v1/${path}`, restaurant.hubUrl), {
      method,
      headers: {
        authorization: `Bearer ${await restaurant.token("manager")}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const content = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content)}`);
    return content;
  };
}
