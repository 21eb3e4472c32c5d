/**
 * A second reader of printer data, written only from the documentation of the commands (ESC/POS). It shares no code with the
 * encoder or the fake printer, so that a mistake in one of them is found.
 */
export interface Paper {
  /** The printed text, line by line. */
  lines: string[];
  /** Lines that are at least partly of double height or more. */
  tall: string[];
  qrs: string[];
  barcodes: string[];
  cuts: number;
  pulses: number;
}

const ESC = 0x1b;
const GS = 0x1d;
const FS = 0x1c;
const DLE = 0x10;

/** Spanish letters above ASCII in the code pages that receipts use, by the number in `ESC t`. */
const cp437: Record<number, string> = {
  0x80: "Ç",
  0x81: "ü",
  0x82: "é",
  0x87: "ç",
  0x90: "É",
  0x9a: "Ü",
  0xa0: "á",
  0xa1: "í",
  0xa2: "ó",
  0xa3: "ú",
  0xa4: "ñ",
  0xa5: "Ñ",
  0xa6: "ª",
  0xa7: "º",
  0xa8: "¿",
  0xad: "¡",
  0xae: "«",
  0xaf: "»",
  0xfa: "·",
  0xf8: "°",
};
const cp850: Record<number, string> = {
  ...cp437,
  0xb5: "Á",
  0xd6: "Í",
  0xe0: "Ó",
  0xe9: "Ú",
  0x9e: "×",
};
const pages: Record<number, Record<number, string>> = { 0: cp437, 2: cp850, 19: { ...cp850, 0xd5: "€" } };
const windows1252 = new TextDecoder("windows-1252");

/** Reads whole documents as a printer does. Throws at an unknown command. */
export function readPaper(bytes: Uint8Array): Paper {
  const paper: Paper = { lines: [], tall: [], qrs: [], barcodes: [], cuts: 0, pulses: 0 };
  let page = 0;
  let height = 1;
  let line = "";
  let isTall = false;
  let qr = "";
  let at = 0;
  const next = (): number => {
    const byte = bytes[at];
    if (byte === undefined) throw new Error(`the document ends within a command, at ${at}`);
    at += 1;
    return byte;
  };
  const endLine = (): void => {
    paper.lines.push(line.trimEnd());
    if (isTall) paper.tall.push(line.trim());
    line = "";
    isTall = false;
  };
  while (at < bytes.length) {
    const byte = next();
    if (byte === 0x0a) endLine();
    else if (byte === 0x0d || byte === 0x00) continue;
    else if (byte === DLE) at += 2;
    else if (byte === ESC) escape(next());
    else if (byte === GS) group(next());
    else if (byte === FS) {
      // `FS C n` takes one argument, the others in use none.
      if (next() === 0x43) next();
    } else {
      line += decodeLetter(byte);
      if (height > 1 && byte !== 0x20) isTall = true;
    }
  }
  if (line !== "") endLine();
  return paper;

  function decodeLetter(byte: number): string {
    if (byte < 0x80) return String.fromCharCode(byte);
    if (page === 16) return windows1252.decode(Uint8Array.of(byte));
    return pages[page]?.[byte] ?? "\ufffd";
  }

  function escape(command: number): void {
    switch (String.fromCharCode(command)) {
      case "@":
        [page, height] = [0, 1];
        return;
      case "t":
        page = next();
        return;
      case "!": {
        height = (next() & 0x10) === 0 ? 1 : 2;
        return;
      }
      case "p":
        at += 3;
        paper.pulses += 1;
        return;
      case "d":
        for (let remaining = next(); remaining > 0; remaining -= 1) endLine();
        return;
      case "J":
      case "E":
      case "G":
      case "a":
      case "-":
      case "M":
      case "R":
      case "3":
      case " ":
      case "{":
      case "V":
        next();
        return;
      case "2":
        return;
      default:
        throw new Error(`ESC ${command.toString(16)} is unknown, at ${at}`);
    }
  }

  function group(command: number): void {
    switch (String.fromCharCode(command)) {
      case "!":
        height = (next() & 0x07) + 1;
        return;
      case "V":
        if (next() >= 65) next();
        paper.cuts += 1;
        return;
      case "B":
      case "b":
      case "h":
      case "w":
      case "H":
      case "f":
      case "a":
      case "r":
        next();
        return;
      case "L":
      case "W":
      case "P":
        at += 2;
        return;
      case "k":
        barcode(next());
        return;
      case "(":
        functionCall(next());
        return;
      default:
        throw new Error(`GS ${command.toString(16)} is unknown, at ${at}`);
    }
  }

  function barcode(kind: number): void {
    let text = "";
    if (kind >= 65) {
      for (let remaining = next(); remaining > 0; remaining -= 1) text += String.fromCharCode(next());
    } else {
      for (let byte = next(); byte !== 0; byte = next()) text += String.fromCharCode(byte);
    }
    // Code 128 data begins with the name of its code set: {A, {B or {C.
    paper.barcodes.push(text.replace(/^\{[ABC]/, ""));
  }

  function functionCall(name: number): void {
    const length = next() + 256 * next();
    const body = bytes.subarray(at, at + length);
    at += length;
    if (String.fromCharCode(name) !== "k" || body[0] !== 49) return;
    // 80 stores the symbol's data; 81 prints it.
    if (body[1] === 80) qr = new TextDecoder().decode(body.subarray(3));
    if (body[1] === 81) paper.qrs.push(qr);
  }
}
