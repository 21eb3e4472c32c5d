import type { Printer, PrinterPatch } from "@comanda/protocol";
import { changedFields } from "@comanda/ui/changed-fields.ts";
import { printerAddress } from "./printer-address.ts";

/** What the form of a printer holds. */
export type FormFields = ReturnType<typeof fieldsOfPrinter>;

/** What the form begins with: the printer that is changed, or a usual one at this address. */
export function fieldsOfPrinter(printer?: Printer, address = "") {
  return {
    name: printer?.name ?? "",
    address: printer?.address ?? address,
    width: printer?.width ?? 80,
    codePage: printer?.codePage ?? "auto",
    model: printer?.model ?? "",
    cutter: printer?.cutter ?? true,
    drawer: printer?.drawer ?? false,
    fallback: printer?.fallback ?? null,
  };
}

/** What somebody has changed of a printer. */
export function changeOfPrinter(before: FormFields, now: FormFields): PrinterPatch {
  const { address, model, ...others } = changedFields(before, now);
  return {
    ...others,
    ...(address !== undefined && { address: printerAddress(address) }),
    ...(model !== undefined && { model: model.trim() === "" ? null : model.trim() }),
  };
}
