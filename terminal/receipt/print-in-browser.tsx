import { layOut } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { Paper } from "@comanda/ui/paper.tsx";
import { QRCodeSVG } from "qrcode.react";
import { createRoot } from "react-dom/client";
import { flushSync } from "react-dom";
import type { LiveTerminal } from "../lib/connection/live-terminal.ts";
import { paperOf } from "./paper-of.ts";
import "./print-in-browser.css";

/** Columns of 80 mm paper, which most receipt printers for browsers use. */
const COLUMNS = 48;

/** Prints a document of a check from the browser, on a printer of this device. */
export function printInBrowser(
  pos: LiveTerminal,
  order: Pick<LocalOrder, "snapshot" | "pending">,
  document: "bill" | "receipt",
): void {
  const lines = layOut(paperOf(pos, order, document, 1), COLUMNS);
  const place = globalThis.document.createElement("div");
  place.className = "browser-print";
  globalThis.document.body.append(place);
  const root = createRoot(place);
  flushSync(() => root.render(<Paper lines={lines} columns={COLUMNS} label={document} Code={QRCodeSVG} />));
  // In some browsers `print` returns before it prints.
  addEventListener(
    "afterprint",
    () => {
      root.unmount();
      place.remove();
    },
    { once: true },
  );
  globalThis.print();
}
