import type { Block } from "@comanda/protocol";
import { expect, it } from "vitest";
import { decode } from "../test/fake-printer/decode.ts";
import { encode } from "./encode.ts";
import { testPage } from "./test-page.ts";

const printer = { width: 80 as const, cutter: true };
const text = (content: string): Block[] => [{ kind: "text", text: content }];
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const ascii = (content: string): string => Buffer.from(content, "latin1").toString("hex");

/** The command that selects a code page. */
const ESC_T = "1b74";
const CUT = "1d56";
const PULSE = "1b70";

it("Spanish text is written in code pages that every printer has [PRINT-104]", () => {
  // ñ, ó and ¿ are in code page 437; Á is only in 850.
  const bytes = hex(encode(text("¿Piña con ron? ÁNGEL"), printer, false));
  expect(bytes).toContain(`a8${ascii("Pi")}a4${ascii("a con ron? ")}`);
  expect(bytes).toContain(`${ESC_T}02b5${ascii("NGEL")}`);
});

it("text is written in the code page set for the printer [PRINT-104]", () => {
  expect(hex(encode(text("Ñoño"), { ...printer, codePage: "pc858" }, false))).toContain(`${ESC_T}13a5${ascii("o")}a4`);
  expect(hex(encode(text("Ñoño"), { ...printer, codePage: "cp1252" }, false))).toContain(`${ESC_T}10d1${ascii("o")}f1`);
});

it("a sign that the code page lacks is replaced by a plain one of the same width [PRINT-104]", () => {
  const row: Block[] = [{ kind: "row", left: "Café “ÁGIL” 🍹… – 牛", right: "10.00" }];
  const bytes = hex(encode(row, { ...printer, codePage: "pc437" }, false));
  const printed = `Caf\u0082 "AGIL" ?... - ?`;
  expect(bytes).toContain(ascii(`${printed}${" ".repeat(48 - printed.length - 5)}10.00`));
});

it("tabs and special spaces are written as plain spaces [PRINT-104]", () => {
  expect(hex(encode(text("sin\tsal, con\u00a0ajo\u2003y\u202fmás"), printer, false))).toContain(
    `${ascii("sin sal, con ajo y m")}a0${ascii("s")}`,
  );
});

it("lines have as many columns as the printer model and the paper allow [PRINT-100]", () => {
  const rule: Block[] = [{ kind: "rule" }];
  const columns = (model: string | undefined, width: 80 | 58): number =>
    Buffer.from(encode(rule, { ...printer, width, ...(model !== undefined && { model }) }, false)).filter(
      (byte) => byte === 0x2d,
    ).length;
  expect([columns(undefined, 80), columns(undefined, 58), columns("una de la tienda", 80)]).toEqual([48, 32, 48]);
  expect([columns("Epson TM-T88V", 80), columns("epson-tm-t20iii", 80), columns("epson-tm-t20iii", 58)]).toEqual([
    42, 48, 32,
  ]);
});

it("the drawer opens before the document is printed, and a printer with a cutter cuts [PRINT-105]", () => {
  const expected = ascii("hola");
  const plain = hex(encode(text("hola"), { ...printer, cutter: false }, false));
  expect(plain).toContain(expected);
  expect(plain).not.toContain(CUT);
  expect(plain).not.toContain(PULSE);
  const both = hex(encode(text("hola"), printer, true));
  expect(both.indexOf(PULSE)).toBeGreaterThan(-1);
  expect(both.indexOf(PULSE)).toBeLessThan(both.indexOf(expected));
  expect(both.indexOf(CUT)).toBeGreaterThan(both.indexOf(expected));
});

it("QR codes as wide as the paper and code 128 barcodes are readable [PRINT-104]", () => {
  const address = `https://ecf.dgii.gov.do/ecf/ConsultaTimbre?${"x".repeat(180)}`;
  const bytes = hex(
    encode(
      [
        { kind: "qr", text: address },
        { kind: "barcode", text: "A1B2C3" },
      ],
      printer,
      false,
    ),
  );
  expect(bytes).toContain(ascii(address));
  expect(bytes).toContain(ascii("{BA1B2C3"));
});

it.each([
  ["Epson TM-T88V", 80, 42],
  ["una de la tienda", 80, 48],
  ["Epson TM-T20III", 58, 32],
] as const)("a line of the test page of %s on %i mm has %i signs [PRINT-335]", (model, width, columns) => {
  const caja = { ...printer, id: "caja", name: "Caja", address: "tcp://caja", drawer: false, model, width };
  const { lines } = decode(encode(testPage(caja, "hoy"), caja, false));
  const texts = lines.map((line) => line.text.trim());
  expect(texts.filter((content) => /^\d+$/u.test(content))).toEqual(["1234567890".repeat(5).slice(0, columns)]);
  expect(texts.join(" ")).toContain(`${width} mm · ${columns} columnas`);
});
