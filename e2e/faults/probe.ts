import { isDeepStrictEqual } from "node:util";
import { type Prepared } from "./prepared-folders.ts";
import { createOrder, type TestBed } from "./test-bed.ts";
import { withTimeout } from "../support/with-timeout.ts";
import { checksOf, compareLedger, type Ledger } from "./ledger.ts";
import type { Round } from "./part.ts";
import type { Random } from "./random.ts";
import { readHub, reportsDataFile, signInTerminal, type HubView } from "./read-hub.ts";
import { tryStart } from "./try-start.ts";

/** Within this time a hub must report damage; its check of a large file runs beside its work. */
const REPORTS_WITHIN_MS = 3_000;
/** Within this time it must report damage that only the whole-file check finds, which begins some seconds after the start. */
const FINDS_WITHIN_MS = 20_000;
const RESENT = 3;

interface Probe {
  data: string;
  prepared: Prepared;
  /** Description of the damage. */
  scenario: string;
  round: Round;
  reportsWithinMs?: number;
  /** The hub must report the damage even if no difference is visible. */
  mustBeReported?: boolean;
}

/** Starts a hub on a folder and compares it with the state before; the hub must report every difference. */
export async function probe(
  bed: TestBed,
  { data, prepared, scenario, round, reportsWithinMs, mustBeReported }: Probe,
): Promise<void> {
  const start = await tryStart(bed.envOn(data), data);
  round.addOperations(1);
  if (start.kind === "refused") return;
  if (start.kind === "broke") return round.report("hidden", `${scenario}: the hub ${start.description}`);
  const { hub } = start;
  try {
    const { view, differences, doubled } = await differencesOf(bed, hub.url, prepared, round.random);
    round.addOperations(prepared.golden.orders.size);
    if (mustBeReported === true) {
      if (!(await reportsDamage(hub.url, FINDS_WITHIN_MS))) round.report("hidden", `${scenario}: is never told`);
      return;
    }
    const all = [...differences, ...doubled];
    if (all.length === 0 || (await reportsDamage(hub.url, reportsWithinMs))) return;
    const lost = compareLedger(prepared.ledger, view ?? emptyView(prepared.golden));
    const count = lost.filter(({ kind }) => kind === "lost").reduce((sum, each) => sum + each.count, 0);
    if (count > 0) round.report("lost", `${scenario}: ${lost[0]?.description} (${count} in all)`, count);
    if (doubled.length > 0) round.report("doubled", `${scenario}: ${doubled.join("; ")}`, doubled.length);
    round.report("hidden", `${scenario}: serves without a word; ${all.slice(0, 3).join("; ")} (${all.length} in all)`);
  } finally {
    await hub.kill();
  }
}

interface Differences {
  /** Missing if the hub could not be read. */
  view?: HubView;
  /** Every difference from the hub's former state, including anything that cannot be read. */
  differences: string[];
  doubled: string[];
}

async function differencesOf(bed: TestBed, url: string, prepared: Prepared, random: Random): Promise<Differences> {
  const { golden, ledger, since } = prepared;
  const found: Differences = { differences: [], doubled: [] };
  try {
    found.view = await readHub(url, bed.tokens, { since });
    found.differences.push(...compareViews(golden, found.view, ledger));
    const again = await probeWrites(bed, { url, ledger, random });
    found.differences.push(...again.refused);
    found.doubled.push(...again.doubled);
  } catch (error) {
    found.differences.push(`it cannot be worked with: ${error instanceof Error ? error.message : String(error)}`);
  }
  return found;
}

/** Returns every difference from the hub's former state; ignores orders outside the ledger. */
export function compareViews(golden: HubView, view: HubView, ledger: Ledger): string[] {
  const differences: string[] = [];
  for (const [posReference, order] of golden.orders) {
    const found = view.orders.get(posReference);
    if (found === undefined) differences.push(`${posReference} is not there`);
    else if (!isDeepStrictEqual(found, order)) differences.push(`${posReference} is not as it was`);
    if (view.forward.get(posReference) !== golden.forward.get(posReference)) {
      differences.push(`the event of ${posReference} is ${view.forward.get(posReference) ?? "gone"}`);
    }
  }
  const references = [...checksOf(ledger), ...ledger.discarding];
  const back = references.filter((posReference) => view.orders.has(posReference) && !golden.orders.has(posReference));
  return [...differences, ...back.map((posReference) => `${posReference} is there again`)];
}

/**
 * Resends some acknowledged mutations, which must have no effect, and creates an order, whose ticket number must be new.
 * Returns what was refused and what took effect twice.
 */
export async function probeWrites(
  bed: TestBed,
  { url, ledger, random }: { url: string; ledger: Ledger; random: Random },
): Promise<{ refused: string[]; doubled: string[] }> {
  const found: { refused: string[]; doubled: string[] } = { refused: [], doubled: [] };
  const terminal = await signInTerminal(url, bed.tokens.cashier, { deviceId: "sends-again" });
  for (let i = 0; i < RESENT && ledger.acknowledged.length > 0; i += 1) {
    const { message, answer } = random.pick(ledger.acknowledged);
    const repeated = terminal.change(message).catch((error: Error) => error);
    const again = await withTimeout(`the answer to a repeated ${message.type}`, repeated);
    if (again instanceof Error) found.refused.push(`${message.type} sent again was refused: ${again.message}`);
    else if (again.duplicate !== true || again.version !== answer.version) {
      found.doubled.push(`${message.type} sent again was carried out again`);
    }
  }
  terminal.close();
  const { ticketNumber } = await createOrder(url, bed.apiKey);
  if (ledger.created.some((created) => created.ticketNumber === ticketNumber)) {
    found.doubled.push(`ticket number ${ticketNumber} was given a second time`);
  }
  return found;
}

async function reportsDamage(url: string, withinMs = REPORTS_WITHIN_MS): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await reportsDataFile(url).catch(() => false)) return true;
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function emptyView(like: HubView): HubView {
  return { ...like, orders: new Map(), forward: new Map(), forwardEvents: [] };
}
