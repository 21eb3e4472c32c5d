import { PrintRoutes, type Printer, type ReceiptMode, type Station } from "@comanda/protocol";
import { ONLY_STATION } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { parseColumn } from "../db/rows/parse-column.ts";

export type Printers = ReturnType<typeof createPrinters>;

/** Returns the ids by which routes name these stations. */
export function routedStations(stations: readonly Pick<Station, "id">[]): string[] {
  return stations.length === 0 ? [ONLY_STATION] : stations.map(({ id }) => id);
}

/** Provides the restaurant's printers and their routes, cached in memory, because each send to the kitchen reads them. */
export function createPrinters(db: Db) {
  const all = db.prepare<[], string>("SELECT body FROM printers ORDER BY name, printer_id").pluck();
  const upsert = db.prepare<{ id: string; name: string; body: string }>(`
    INSERT INTO printers (printer_id, name, body) VALUES (@id, @name, @body)
    ON CONFLICT (printer_id) DO UPDATE SET name = excluded.name, body = excluded.body, seal = NULL`);
  const remove = db.prepare<[string]>("DELETE FROM printers WHERE printer_id = ?");
  const storedRoutes = db.prepare<[], string>("SELECT body FROM print_routes").pluck();
  const saveRoutes = db.prepare<[string]>(`
    INSERT INTO print_routes (id, body) VALUES (1, ?)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body, seal = NULL`);

  let cache: { printers: Map<string, Printer>; routes: PrintRoutes } | null = null;

  function load() {
    cache ??= {
      printers: new Map(
        all.all().flatMap((body) => {
          const printer = parseColumn<Printer | null>(body, null);
          return printer === null ? [] : [[printer.id, printer]];
        }),
      ),
      routes: parseColumn<PrintRoutes | null>(storedRoutes.get() ?? "", null) ?? PrintRoutes.parse({}),
    };
    return cache;
  }

  const get = (id: string | undefined): Printer | null => (id === undefined ? null : (load().printers.get(id) ?? null));

  function forgetAfter(tx: Tx): void {
    cache = null;
    tx.onUndo(() => (cache = null));
  }

  return {
    list: (): Printer[] => [...load().printers.values()],
    get,
    routes: (): PrintRoutes => load().routes,

    /** Returns a station's printers. `null` is the only station of a restaurant without stations. */
    stationPrinters: (stationId: string | null): Printer[] =>
      (load().routes.stations[stationId ?? ONLY_STATION] ?? []).flatMap((id) => get(id) ?? []),
    /** Returns the printer for a terminal's receipts: its own, or else the restaurant's. */
    receiptPrinter(terminalId: string): Printer | null {
      const { terminals, receipts } = load().routes;
      return get(terminals[terminalId]?.printer) ?? get(receipts);
    },
    receiptMode: (terminalId: string): ReceiptMode => load().routes.terminals[terminalId]?.receipt ?? "always",
    /** Returns the printer for unseen slips of stations without a printer. */
    defaultPrinter: (): Printer | null => get(load().routes.fallback) ?? get(load().routes.receipts),
    isPaperOnly: (stationId: string | null): boolean =>
      load().routes.paperOnly?.includes(stationId ?? ONLY_STATION) === true,

    save(tx: Tx, printer: Printer): void {
      upsert.run({ id: printer.id, name: printer.name, body: JSON.stringify(printer) });
      forgetAfter(tx);
    },
    saveRoutes(tx: Tx, routes: PrintRoutes): void {
      saveRoutes.run(JSON.stringify(routes));
      forgetAfter(tx);
    },
    remove(tx: Tx, printerId: string): void {
      remove.run(printerId);
      forgetAfter(tx);
    },
  };
}
