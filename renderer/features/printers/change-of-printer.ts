import type { Printer, PrinterPatch } from "@comanda/protocol";
import { changedFields } from "@comanda/ui/changed-fields.ts";
import { printerAddress } from "./printer-address.ts";

/** The values of the printer form. */
export type FormFields = ReturnType<typeof fieldsOfPrinter>;

/** Returns the initial values of the form: those of the printer to change, or the defaults with this address. */
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

/** Returns the changed fields of a printer. */
export function changeOfPrinter(before: FormFields, now: FormFields): PrinterPatch {
  const { address, model, ...others } = changedFields(before, now);
  return {
    ...others,
    ...(address !== undefined && { address: printerAddress(address) }),
    ...(model !== undefined && { model: model.trim() === "" ? null : model.trim() }),
  };
}
