import { type NewPrinter, type Printer, type PrinterPatch, type PrintRoutes } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { explainedError, requireFound } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import type { Printers } from "./printers.ts";
import type { Spool } from "./spool.ts";

const MAX_PRINTERS = 50;

export type PrinterAdmin = ReturnType<typeof createPrinterAdmin>;

/** Manages the printers and which documents each one prints. */
export function createPrinterAdmin(deps: {
  world: World;
  printers: Printers;
  spool: Spool;
  stationIds: () => readonly string[];
}) {
  const { world, printers, spool } = deps;

  const find = (printerId: string): Printer =>
    requireFound(printers.get(printerId), `there is no printer ${printerId}`);

  function requireFallback({ id, fallback }: Printer): void {
    if (fallback === undefined) return;
    if (fallback === id) throw explainedError("VALIDATION_ERROR", "fallback_is_itself");
    if (printers.get(fallback) === null) {
      throw explainedError("VALIDATION_ERROR", "fallback_unknown", { printerId: fallback });
    }
  }

  /** Rejects routes to unknown printers and stations. A station removed since may stay in them. */
  function requirePrinters(routes: PrintRoutes): void {
    const before = printers.routes();
    const stationIds = new Set([...deps.stationIds(), ...Object.keys(before.stations), ...(before.paperOnly ?? [])]);
    const requireStation = (field: string, stationId: string): void => {
      if (!stationIds.has(stationId)) {
        throw explainedError("VALIDATION_ERROR", "route_unknown_station", { field, stationId });
      }
    };
    const requirePrinter = (field: string, printerId: string | undefined): void => {
      if (printerId !== undefined && printers.get(printerId) === null) {
        throw explainedError("VALIDATION_ERROR", "route_unknown_printer", { field, printerId });
      }
    };
    for (const [stationId, ids] of Object.entries(routes.stations)) {
      requireStation("stations", stationId);
      for (const id of ids) requirePrinter(`stations.${stationId}`, id);
    }
    for (const stationId of routes.paperOnly ?? []) requireStation("paperOnly", stationId);
    for (const [terminalId, { printer }] of Object.entries(routes.terminals)) {
      requirePrinter(`terminals.${terminalId}`, printer);
    }
    requirePrinter("receipts", routes.receipts);
    requirePrinter("fallback", routes.fallback);
  }

  return {
    find,

    add(tx: Tx, { id = world.random.uuid(), ...rest }: NewPrinter): Printer {
      if (printers.get(id) !== null) throw explainedError("VALIDATION_ERROR", "printer_id_taken", { printerId: id });
      if (printers.list().length >= MAX_PRINTERS) {
        throw explainedError("LIMIT_REACHED", "too_many_printers", { limit: MAX_PRINTERS });
      }
      const printer = asStored({ id, ...rest });
      requireFallback(printer);
      printers.save(tx, printer);
      return printer;
    },

    change(tx: Tx, printerId: string, patch: PrinterPatch): Printer {
      const defined = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      const printer = asStored({ ...find(printerId), ...defined });
      requireFallback(printer);
      printers.save(tx, printer);
      return printer;
    },

    /** Removes a printer, its place in the routes and its use as a fallback. */
    remove(tx: Tx, printerId: string): Printer {
      const printer = find(printerId);
      printers.remove(tx, printerId);
      spool.removePrinter(tx, printerId);
      for (const { fallback, ...other } of printers.list()) if (fallback === printerId) printers.save(tx, other);
      printers.saveRoutes(tx, withoutPrinter(printers.routes(), printerId));
      return printer;
    },

    setRoutes(tx: Tx, routes: PrintRoutes): PrintRoutes {
      requirePrinters(routes);
      printers.saveRoutes(tx, routes);
      return routes;
    },
  };
}

function withoutPrinter(routes: PrintRoutes, printerId: string): PrintRoutes {
  const { receipts, fallback, ...rest } = routes;
  const stations = Object.entries(routes.stations).map(([id, ids]) => [id, ids.filter((each) => each !== printerId)]);
  const terminals = Object.entries(routes.terminals).map(([id, { printer, receipt }]) => {
    return [id, { receipt, ...(printer !== undefined && printer !== printerId && { printer }) }];
  });
  return {
    ...rest,
    stations: Object.fromEntries(stations) as PrintRoutes["stations"],
    terminals: Object.fromEntries(terminals) as PrintRoutes["terminals"],
    ...(receipts !== undefined && receipts !== printerId && { receipts }),
    ...(fallback !== undefined && fallback !== printerId && { fallback }),
  };
}

/** Returns a printer without the fields that it does not have: null, or undefined. */
function asStored(printer: NewPrinter & Pick<Printer, "id">): Printer {
  return Object.fromEntries(Object.entries(printer).filter(([, value]) => value != null)) as unknown as Printer;
}
