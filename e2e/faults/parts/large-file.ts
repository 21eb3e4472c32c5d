import { cpSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { overwrite, PAGE } from "./damage.ts";
import { type Prepared } from "../prepared-folders.ts";
import { DATA_FILE, fill, openTestBed, type TestBed } from "../test-bed.ts";
import { withTimeout } from "../../support/with-timeout.ts";
import { createLedger } from "../ledger.ts";
import type { Part } from "../part.ts";
import { probe } from "../probe.ts";
import { readHub, signInTerminal } from "../read-hub.ts";
import type { Random } from "../random.ts";

/** Larger than the files that a hub checks completely at every start. */
const MIN_BYTES = 34 * 1024 * 1024;
const CHECKS = 40;
/** The check runs beside the hub's work, so it may be slow. */
const REPORTS_WITHIN_MS = 15_000;
/** Tables that a service reads and writes all the time. */
const hotTables = [
  "orders",
  "order_by_seq",
  "order_versions",
  "hub_events",
  "mutations",
  "tables",
  "hub_state",
  "terminals",
];

/** A large data file that was closed cleanly loses a page of a table or index in use. */
export const largeFile: Part = {
  name: "large-file",
  rounds: { long: 30, short: 2 },
  concurrency: 2,
  async open({ folder, random }) {
    const bed = await openTestBed();
    const prepared = await prepareLarge(bed, folder, random);
    const pages = pagesOf(join(prepared.folder, DATA_FILE));
    return {
      async run(round) {
        const table = round.random.pick([...pages.keys()]);
        const page = round.random.pick(pages.get(table)!);
        const data = join(round.folder, "data");
        cpSync(prepared.folder, data, { recursive: true });
        overwrite(join(data, DATA_FILE), (page - 1) * PAGE, Buffer.alloc(PAGE));
        const scenario = `a large file with page ${page}, of ${table}, zeroed`;
        await probe(bed, { data, prepared, scenario, round, reportsWithinMs: REPORTS_WITHIN_MS });
        // Damage that was noticed is remembered: the next start must report it at once, or everything is as it was.
        await probe(bed, { data, prepared, scenario: `${scenario}, started a second time`, round, reportsWithinMs: 0 });
      },
      close: () => bed.restaurant.close(),
    };
  },
};

async function prepareLarge(bed: TestBed, to: string, random: Random): Promise<Prepared> {
  const { restaurant, tokens, data } = bed;
  const ledger = createLedger();
  await bed.acceptForwards(false);
  await fill(bed, { ledger, name: "large", checks: CHECKS, random });
  await grow(bed);
  const golden = await readHub(restaurant.hubUrl, tokens);
  await restaurant.hub().stop();
  const { size } = statSync(join(data, DATA_FILE));
  if (size < MIN_BYTES) throw new Error(`the large data file has ${size} bytes only`);
  const folder = join(to, "clean");
  cpSync(data, folder, { recursive: true });
  rmSync(join(folder, "backups"), { recursive: true, force: true });
  return { name: "clean", folder, older: folder, ledger, golden, since: golden.place };
}

/** Grows the file with many versions of one check: every version is kept, and only the last one is read. */
async function grow({ restaurant, tokens }: TestBed): Promise<void> {
  const till = await signInTerminal(restaurant.hubUrl, tokens.cashier, { deviceId: "writes-much" });
  let bytes = 0;
  for (let version = 0; bytes < MIN_BYTES; version += 1) {
    const lines = Array.from({ length: 400 }, (_, i) => ({
      id: `l${i}`,
      quantity: 1,
      note: `${version} `.repeat(100),
    }));
    const snapshot = { orderType: "takeout", lines };
    const change = { type: "ORDER_UPSERT", posReference: "much", baseVersion: version, snapshot };
    await withTimeout("a large check is written", till.change(change));
    bytes += JSON.stringify(snapshot).length;
  }
  till.close();
}

/** Returns the page numbers (from 1) of each hot table. */
function pagesOf(file: string): Map<string, number[]> {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare("SELECT name, pageno FROM dbstat WHERE pagetype <> 'overflow'").all();
  db.close();
  const pages = Map.groupBy(rows, ({ name }) => String(name));
  return new Map(
    hotTables.flatMap((name) => [[name, (pages.get(name) ?? []).map(({ pageno }) => Number(pageno))] as const]),
  );
}
