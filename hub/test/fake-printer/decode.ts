import { codePage } from "./code-pages.ts";

/** A printed line. */
export interface PaperLine {
  text: string;
  /** Height and width factors of the first character. */
  height: number;
  width: number;
  bold: boolean;
  inverse: boolean;
  align: "left" | "center" | "right";
}

/** A decoded print. */
export interface Paper {
  lines: PaperLine[];
  qrCodes: string[];
  barcodes: string[];
  cuts: number;
  /** Number of drawer pulses. */
  pulses: number;
  codePages: string[];
  /** Unknown commands. The decoded text after one may be wrong. */
  unknown: string[];
}

const ESC = 0x1b;
const GS = 0x1d;
const FS = 0x1c;
const DLE = 0x10;
const LF = 0x0a;

/** Argument lengths, in bytes, of commands not handled below. */
const lengths: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  [ESC]: { "2": 0, "3": 1, " ": 1, J: 1, M: 1, R: 1, G: 1, "-": 1, "{": 1, V: 1, c: 2, U: 1, L: 0, S: 0 },
  [GS]: { h: 1, w: 1, H: 1, f: 1, L: 2, W: 2, b: 1, P: 2, a: 1 },
  [FS]: { ".": 0, "&": 0, C: 1, S: 2 },
};

/** Decodes ESC/POS according to the printers' manuals. Shares no code with the encoder. */
export function decode(bytes: Uint8Array): Paper {
  const paper: Paper = { lines: [], qrCodes: [], barcodes: [], cuts: 0, pulses: 0, codePages: [], unknown: [] };
  let page = codePage(0);
  let style = plain();
  let line: PaperLine | null = null;
  let qr = "";
  let position = 0;

  const byte = (): number => bytes[position++] ?? 0;
  const text = (from: number, to: number): string => new TextDecoder().decode(bytes.subarray(from, to));
  const endLine = (): void => {
    paper.lines.push(line ?? { text: "", ...style });
    line = null;
  };

  function escape(): void {
    const command = String.fromCharCode(byte());
    const skipped = lengths[ESC]?.[command];
    if (skipped !== undefined) position += skipped;
    else if (command === "@") {
      style = plain();
      page = codePage(0);
    } else if (command === "t") {
      page = codePage(byte());
      if (paper.codePages.at(-1) !== page.name) paper.codePages.push(page.name);
    } else if (command === "a") style.align = (["left", "center", "right"] as const)[byte() % 48] ?? "left";
    else if (command === "E") style.bold = (byte() & 1) === 1;
    else if (command === "!") {
      const mode = byte();
      style = { ...style, bold: (mode & 8) > 0, height: mode & 16 ? 2 : 1, width: mode & 32 ? 2 : 1 };
    } else if (command === "d") for (let remaining = byte(); remaining > 0; remaining -= 1) endLine();
    else if (command === "p") {
      position += 3;
      paper.pulses += 1;
    } else paper.unknown.push(`ESC ${command}`);
  }

  function group(): void {
    const command = String.fromCharCode(byte());
    const skipped = lengths[GS]?.[command];
    if (skipped !== undefined) position += skipped;
    else if (command === "!") {
      const size = byte();
      style = { ...style, width: (size >> 4) + 1, height: (size & 7) + 1 };
    } else if (command === "B") style.inverse = (byte() & 1) === 1;
    else if (command === "V") {
      if (byte() > 49) position += 1;
      paper.cuts += 1;
    } else if (command === "k") readBarcode();
    else if (command === "(") readSymbol();
    else if (command === "v") readRaster();
    else paper.unknown.push(`GS ${command}`);
  }

  function readBarcode(): void {
    const kind = byte();
    const end = kind > 64 ? position + 1 + (bytes[position] ?? 0) : bytes.indexOf(0, position);
    const from = kind > 64 ? position + 1 : position;
    // Code 128 data starts with its code set.
    paper.barcodes.push(text(from, end).replace(/^\{[ABC]/, ""));
    position = kind > 64 ? end : end + 1;
  }

  function readSymbol(): void {
    const kind = String.fromCharCode(byte());
    const length = byte() + byte() * 256;
    const end = position + length;
    const [symbol, action] = [bytes[position], bytes[position + 1]];
    if (kind === "k" && symbol === 49 && action === 80) qr = text(position + 3, end);
    else if (kind === "k" && symbol === 49 && action === 81) paper.qrCodes.push(qr);
    else if (kind !== "k" || symbol !== 49) paper.unknown.push(`GS ( ${kind} ${symbol}`);
    position = end;
  }

  function readRaster(): void {
    position += 2;
    const [wide, high] = [byte() + byte() * 256, byte() + byte() * 256];
    position += wide * high;
  }

  while (position < bytes.length) {
    const next = byte();
    if (next === ESC) escape();
    else if (next === GS) group();
    else if (next === FS) position += 1 + (lengths[FS]?.[String.fromCharCode(bytes[position] ?? 0)] ?? 0);
    else if (next === DLE) position += 2;
    else if (next === LF) endLine();
    else if (next >= 0x20) {
      line ??= { text: "", ...style };
      line.text += page.letter(next);
    }
  }
  if (line !== null) endLine();
  return paper;
}

function plain(): Omit<PaperLine, "text"> {
  return { height: 1, width: 1, bold: false, inverse: false, align: "left" };
}
