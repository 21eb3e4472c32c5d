import { PrinterAddress } from "@comanda/protocol";
import { expect, it } from "vitest";
import { printerAddress } from "./printer-address.ts";

it("[UI-455] takes an address on the network as a printer's own page says it, and leaves a queue and nonsense what they are", () => {
  const typed = ["192.168.1.50", " 192.168.1.50:9101 ", "tcp://caja.lan", "queue:EPSON", "192.168.1.50:0", "usb:1"];
  const taken = typed.map((each) => [printerAddress(each), PrinterAddress.safeParse(printerAddress(each)).success]);
  expect(taken).toEqual([
    ["tcp://192.168.1.50", true],
    ["tcp://192.168.1.50:9101", true],
    ["tcp://caja.lan", true],
    ["queue:EPSON", true],
    ["tcp://192.168.1.50:0", false],
    ["usb:1", false],
  ]);
});
