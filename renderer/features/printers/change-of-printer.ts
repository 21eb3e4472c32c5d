import type { Printer, PrinterPatch } from "@comanda/protocol";
import { printerAddress } from "./printer-address.ts";
import type { PrinterFacts } from "./printer-fields.tsx";

/** What the form of a printer holds. */
interface FormFields extends PrinterFacts {
  name: string;
  address: string;
}

/** What the form begins with: the printer that is changed, or a usual one at this address. */
export function fieldsOfPrinter(printer?: Printer, address = ""): FormFields {
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

/** What somebody has changed of a printer: what they left as it was may have been changed elsewhere meanwhile. */
export function changeOfPrinter(before: FormFields, now: FormFields): PrinterPatch {
  const isChanged = (field: string): boolean => Reflect.get(before, field) !== Reflect.get(now, field);
  const changed = Object.fromEntries(Object.entries(now).filter(([field]) => isChanged(field))) as Partial<FormFields>;
  const { address, model, ...others } = changed;
  return {
    ...others,
    ...(address !== undefined && { address: printerAddress(address) }),
    ...(model !== undefined && { model: model.trim() === "" ? null : model.trim() }),
  };
}
