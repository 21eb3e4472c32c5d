import { PrinterAddress } from "@comanda/protocol";
import { expect, it } from "vitest";
import { printerAddress } from "./printer-address.ts";

it("an address as on a printer's test page is completed, and queues and invalid addresses stay as typed [UI-455]", () => {
  const onNetwork = ["192.168.1.50", " 192.168.1.50:9101 ", "tcp://caja.lan", "192.168.1.50:0"];
  const queues = [
    "queue:EPSON",
    "queue:Generic / Text Only",
    "queue:\\\\CAJA-PC\\EPSON TM",
    "queue: ",
    "queue:-a",
    "usb:1",
  ];
  const typed = [...onNetwork, ...queues];
  const results = typed.map((each) => [printerAddress(each), PrinterAddress.safeParse(printerAddress(each)).success]);
  expect(results).toEqual([
    ["tcp://192.168.1.50", true],
    ["tcp://192.168.1.50:9101", true],
    ["tcp://caja.lan", true],
    ["tcp://192.168.1.50:0", false],
    ["queue:EPSON", true],
    ["queue:Generic / Text Only", true],
    ["queue:\\\\CAJA-PC\\EPSON TM", true],
    ["queue:", false],
    ["queue:-a", false],
    ["usb:1", false],
  ]);
});
