import type { Block, PrintRoutes } from "@comanda/protocol";
import { layOut } from "@comanda/rules";
import Database from "better-sqlite3";
import { keepSealed } from "../../db/integrity/sealed-tables.ts";
import type { TestHub } from "../support/start-test-hub.ts";

/** Adds printers with these names and routes. Without an address, a printer gets one where nothing listens. */
export async function givePrinters(
  hub: TestHub,
  addresses: readonly string[] | Readonly<Record<string, string>>,
  routes: Partial<Omit<PrintRoutes, "terminals">> & { terminals?: Record<string, object> },
): Promise<void> {
  await hub.restart(() => {
    const db = new Database(hub.dbPath);
    keepSealed(db);
    const entries = Array.isArray(addresses)
      ? addresses.map((name) => [name, "tcp://127.0.0.1:1"])
      : Object.entries(addresses);
    for (const [name, address] of entries) {
      const body = { id: name, name, address, width: 80, cutter: true, drawer: false };
      const insert = db.prepare("INSERT INTO printers (printer_id, name, body) VALUES (?, ?, ?)");
      insert.run(name, name, JSON.stringify(body));
    }
    db.prepare("INSERT INTO print_routes (id, body) VALUES (1, ?)").run(
      JSON.stringify({ stations: {}, terminals: {}, ...routes }),
    );
    db.close();
  });
}

export interface PrintedJob {
  id: string;
  cause: string;
  printerId: string;
  state: string;
  terminalId: string | null;
  text: string;
}

/** Returns the hub's print jobs ordered by cause, with the text of each document on one line. */
export function printJobs({ dbPath }: Pick<TestHub, "dbPath">): PrintedJob[] {
  const db = new Database(dbPath, { readonly: true });
  const rows = db
    .prepare<[], Omit<PrintedJob, "text"> & { blocks: string }>(`
      SELECT job_id AS id, cause, printer_id AS printerId, state, terminal_id AS terminalId, blocks FROM print_jobs ORDER BY print_jobs.id`)
    .all();
  db.close();
  return rows.map(({ blocks, ...job }) => ({ ...job, text: textOf(JSON.parse(blocks) as Block[]) }));
}

function textOf(blocks: readonly Block[]): string {
  return layOut(blocks, 48)
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(/[\s-]+/g, " ");
}
