/**
 * A second reader of what a printer gets, written from the commands' documentation (ESC/POS) alone: it shares nothing with the
 * encoder, nor with the printer that tests play, so that a mistake of one of them is not the other's, too.
 */
export interface Paper {
  /** What stands on it, line by line. */
  lines: string[];
  /** Lines of which a part has at least double height. */
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

/** The letters of Spanish above ASCII in the pages that receipts use; by the number that `ESC t` names. */
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

/** Reads whole documents, as a printer does. Throws at a command that it does not know. */
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
      // `FS C n` takes one, the others that are in use nothing.
      if (next() === 0x43) next();
    } else {
      line += letter(byte);
      if (height > 1 && byte !== 0x20) isTall = true;
    }
  }
  if (line !== "") endLine();
  return paper;

  function letter(byte: number): string {
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
        for (let left = next(); left > 0; left -= 1) endLine();
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
      for (let left = next(); left > 0; left -= 1) text += String.fromCharCode(next());
    } else {
      for (let byte = next(); byte !== 0; byte = next()) text += String.fromCharCode(byte);
    }
    // Code 128 begins with the name of its set: {A, {B or {C.
    paper.barcodes.push(text.replace(/^\{[ABC]/, ""));
  }

  function functionCall(name: number): void {
    const length = next() + 256 * next();
    const body = bytes.subarray(at, at + length);
    at += length;
    if (String.fromCharCode(name) !== "k" || body[0] !== 49) return;
    // 80: the data of the symbol; 81: print it.
    if (body[1] === 80) qr = new TextDecoder().decode(body.subarray(3));
    if (body[1] === 81) paper.qrs.push(qr);
  }
}
