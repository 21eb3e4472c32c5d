import type { Block, Printer } from "@comanda/protocol";
import { columnsOn } from "./encode.ts";

/** Returns a page that shows whether a printer is set up correctly: width, letters, sizes. */
export function testPage(printer: Printer, now: string): Block[] {
  const { name, address, width, codePage } = printer;
  const columns = columnsOn(printer);
  return [
    { kind: "text", text: name, align: "center", size: "large", bold: true },
    { kind: "text", text: "Página de prueba", align: "center" },
    { kind: "rule" },
    { kind: "row", left: "Dirección", right: address },
    { kind: "row", left: "Papel", right: `${width} mm · ${columns} columnas` },
    { kind: "row", left: "Letras", right: codePage ?? "auto" },
    { kind: "row", left: "Hora", right: now },
    { kind: "rule" },
    { kind: "text", text: "1234567890".repeat(5).slice(0, columns) },
    { kind: "text", text: "áéíóú ÁÉÍÓÚ ñÑ üÜ ¿¡ RD$ 1,234.50" },
    { kind: "text", text: "Doble alto", size: "tall" },
    { kind: "text", text: "Doble", size: "large" },
    { kind: "text", text: "En negativo", inverse: true },
    { kind: "qr", text: address },
    { kind: "text", text: "La línea de números debe ocupar todo el ancho.", align: "center" },
  ];
}
