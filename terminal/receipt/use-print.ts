import { HubUnreachableError, type LocalOrder, TerminalRefusal } from "@comanda/terminal";
import { fetchLater, persist } from "@comanda/ui/lazy-part.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { showNotice } from "../lib/page/notices.ts";
import { usePos } from "../lib/connection/pos.ts";
import { showRefusal } from "../lib/page/show-refusal.ts";

/** A web view of a phone may have no way to print. */
const canPrintHere = typeof globalThis.print === "function";

/** It is wanted while the hub is away, when it cannot be fetched. */
const loadBrowserPrint = () => import("./print-in-browser.tsx");
fetchLater(() => persist(loadBrowserPrint));

type Printed = Pick<LocalOrder, "posReference" | "snapshot">;

/** Prints a document of a check on the printer that the hub has for it, else on one of this device. */
export function usePrint(): (order: Printed, document: "bill" | "receipt") => void {
  const { t } = useTranslation("pay");
  const pos = usePos();

  async function print(order: Printed, document: "bill" | "receipt"): Promise<void> {
    try {
      const { printer } = await pos.terminal.print({ document, posReference: order.posReference });
      showNotice({ text: t("printSent", { printer }) });
    } catch (error) {
      const isOurs = error instanceof HubUnreachableError || isWithoutPrinter(error);
      if (!canPrintHere || !isOurs) return showRefusal(error);
      const part = await loadBrowserPrint().catch(() => null);
      if (part === null) return showRefusal(error);
      part.printInBrowser(pos, order, document);
    }
  }

  return (order, document) => void print(order, document);
}

/** The house has no printer for it, or the hub has not heard of the check yet. */
export function isWithoutPrinter(error: unknown): boolean {
  return error instanceof TerminalRefusal && error.code === "NOT_FOUND";
}
