// A fake receipt printer for trying things out: node e2e/fake-printer/main.ts [port]
import { startFakePrinter } from "../../hub/test/fake-printer/fake-printer.ts";

const printer = await startFakePrinter({ port: Number(process.argv[2] ?? 9100), host: "0.0.0.0" });
process.stdout.write(`listening on ${printer.address}\n`);

let shown = 0;
const show = (): void => {
  const papers = printer.papers();
  const done = printer.documents().findLastIndex(({ isOver }) => isOver) + 1;
  for (const { lines, qrCodes, barcodes, pulses, cuts } of papers.slice(shown, done)) {
    const marks = [...qrCodes.map((text) => `[QR ${text}]`), ...barcodes.map((text) => `[barcode ${text}]`)];
    const text = lines.map((line) => line.text).join("\n");
    process.stdout.write(`${text}\n${[...marks, `[${pulses} pulses, ${cuts} cuts]`].join("\n")}\n${"-".repeat(48)}\n`);
  }
  shown = Math.max(shown, done);
};
const timer = setInterval(show, 500);
process.once("SIGTERM", () => {
  clearInterval(timer);
  void printer.stop();
});
