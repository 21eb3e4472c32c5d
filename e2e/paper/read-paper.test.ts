import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { encode } from "../../hub/printing/encode.ts";
import { documents } from "../../rules/test/paper-documents.ts";
import { readPaper } from "./read-paper.ts";

const golden = path.resolve(import.meta.dirname, "../../rules/test/paper");

/** Returns a document's lines from its golden text, where each line is preceded by its size and whether it is inverse. */
function goldenLines(name: string, columns: number): string[] {
  return readFileSync(path.join(golden, `${name}-${columns}.txt`), "utf8")
    .trimEnd()
    .split("\n");
}

const isCode = (line: string): boolean => /^ {2}\[(?:qr|barcode) /.test(line);
const codeLines = (lines: string[], kind: string): string[] =>
  lines.filter((line) => line.startsWith(`  [${kind} `)).map((line) => line.slice(kind.length + 4, -1));

describe("encoded bytes, read by an independent reader", () => {
  const cases = Object.entries(documents).flatMap(([name, blocks]) =>
    ([80, 58] as const).map((width) => ({ name, width, blocks })),
  );

  it.for(cases)("the bytes of $name print its golden text on $width mm [PRINT-106]", ({ name, width, blocks }) => {
    const expected = goldenLines(name, width === 80 ? 48 : 32);
    const paper = readPaper(encode(blocks, { width, cutter: true }, false));
    const textLines = (lines: string[]): string[] =>
      lines.filter((line) => line.trim() !== "").map((line) => line.trim());
    const texts = expected.filter((line) => !isCode(line));
    expect(textLines(paper.lines)).toEqual(textLines(texts.map((line) => line.slice(2).replace("█", " "))));
    expect(paper.tall).toEqual(textLines(texts.filter((line) => /^[|#]/.test(line)).map((line) => line.slice(2))));
    expect(paper.qrs).toEqual(codeLines(expected, "qr"));
    expect(paper.barcodes).toEqual(codeLines(expected, "barcode"));
    expect([paper.cuts, paper.pulses]).toEqual([1, 0]);
  });

  it("the bytes of a drawer document open the drawer once, and cut nothing without a cutter [PRINT-106]", () => {
    const { cuts, pulses } = readPaper(encode(documents.drawer, { width: 80, cutter: false }, true));
    expect([cuts, pulses]).toEqual([0, 1]);
  });
});
