import type { ChangeTill, CreateTill } from "@comanda/protocol";
import { explainedError, HubError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";
import type { StoredTill } from "../../till/till-store.ts";

/** More than any restaurant has. */
const MAX_TILLS = 50;

export type TillAdmin = ReturnType<typeof createTillAdmin>;

/** The setup of the restaurant's tills by managers. */
export function createTillAdmin(deps: Pick<Stores, "changes" | "tills" | "printers" | "audit"> & { world: World }) {
  const { world, changes, tills, printers, audit } = deps;

  function require(tillId: string): StoredTill {
    const till = tills.get(tillId);
    if (till === null || till.isRemoved) throw new HubError("NOT_FOUND", `there is no till ${tillId}`);
    return till;
  }

  /** Throws VALIDATION_ERROR if a terminal belongs to another till: its money is kept in one drawer. */
  function requireFree(terminals: readonly string[], tillId: string): void {
    const other = tills
      .list()
      .find((till) => till.id !== tillId && till.terminals.some((id) => terminals.includes(id)));
    if (other !== undefined) {
      throw new HubError("VALIDATION_ERROR", `terminals: one of them already belongs to till ${other.name}`);
    }
  }

  /** Throws for an unknown printer. One that was removed since may stay, so that other fields can be changed. */
  function requirePrinter(printerId: string | null, before: string | null): void {
    if (printerId === null || printerId === before || printers.get(printerId) !== null) return;
    throw explainedError("VALIDATION_ERROR", "route_unknown_printer", { field: "printer", printerId });
  }

  return {
    list: tills.list,

    create: (input: CreateTill, by: string): Promise<StoredTill> =>
      changes.write((tx) => {
        const { id = world.random.uuid(), name, printer = null, terminals } = input;
        if (tills.list().length >= MAX_TILLS)
          throw new HubError("LIMIT_REACHED", `a restaurant has at most ${MAX_TILLS} tills`);
        const existing = tills.get(id);
        if (existing !== null && !existing.isRemoved)
          throw new HubError("VALIDATION_ERROR", `id: till ${id} already exists`);
        requireFree(terminals, id);
        requirePrinter(printer, null);
        tills.change(tx, { id, name, printer, terminals, isRemoved: false });
        audit.record(tx, by, "till.create", name);
        return require(id);
      }),

    change: (tillId: string, { name, printer, terminals }: ChangeTill, by: string): Promise<StoredTill> =>
      changes.write((tx) => {
        const till = require(tillId);
        if (terminals !== undefined) requireFree(terminals, tillId);
        if (printer !== undefined) requirePrinter(printer, till.printer);
        tills.change(tx, {
          id: tillId,
          name: name ?? till.name,
          printer: printer === undefined ? till.printer : printer,
          terminals: terminals ?? till.terminals,
          isRemoved: false,
        });
        audit.record(tx, by, "till.change", name ?? till.name);
        return require(tillId);
      }),

    remove: (tillId: string, by: string): Promise<void> =>
      changes.write((tx) => {
        const till = require(tillId);
        if (till.shift !== null) throw new HubError("SHIFT_OPEN", `the shift of till ${till.name} is not closed`);
        tills.change(tx, { ...till, terminals: [], isRemoved: true });
        audit.record(tx, by, "till.delete", till.name);
      }),
  };
}
