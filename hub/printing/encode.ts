import type { Block, CodePage, Printer } from "@comanda/protocol";
import CodepageEncoder, { type Codepage, type CodepageEncoding } from "@point-of-sale/codepage-encoder";
import ReceiptPrinterEncoder, { type ReceiptPrinterEncoderOptions } from "@point-of-sale/receipt-printer-encoder";
import { layOut, type PaperLine } from "@comanda/rules";

const pagesRead = new Map<Codepage, CodepageEncoding>();
const readPage = CodepageEncoder.getEncoding.bind(CodepageEncoder);
// Cached: the library copies the whole page for each run of text, which is most of what a receipt costs.
CodepageEncoder.getEncoding = (page) => {
  const read = pagesRead.get(page) ?? readPage(page);
  pagesRead.set(page, read);
  return read;
};

const COLUMNS = { 80: 48, 58: 32 } as const;
/** Module size of a QR code in dots: the address of an electronic receipt (61 modules) fits on both paper widths. */
const QR_SIZE = { 80: 6, 58: 5 } as const;
/** Lines between the print head and the knife. */
const FEED_BEFORE_CUT = 4;
const BARCODE_HEIGHT = 50;

const pages: Record<Exclude<CodePage, "auto">, Codepage> = {
  pc437: "cp437",
  pc850: "cp850",
  pc858: "cp858",
  cp1252: "windows1252",
};
/** Nearly every printer has both. A text uses the first that has its letters; accented capitals need the second. */
const COMMON_PAGES: readonly Codepage[] = ["cp437", "cp850"];

/** Encodes a document for this printer. `opensDrawer` sends the pulse first, so that the cashier can give change at once. */
export function encode(
  blocks: readonly Block[],
  printer: Pick<Printer, "width" | "codePage" | "cutter" | "model">,
  opensDrawer: boolean,
): Uint8Array {
  const { width, codePage = "auto", cutter } = printer;
  const candidates = codePage === "auto" ? COMMON_PAGES : [pages[codePage]];
  const encoder = encoderFor(printer);
  encoder.initialize();
  if (opensDrawer) encoder.pulse();
  if (blocks.length === 0) return encoder.encode();
  const printable = blocks.map((block) => withPrintableText(block, candidates));
  const writer = { encoder, candidates, page: candidates[0] ?? "cp437" };
  for (const line of layOut(printable, encoder.columns)) addLine(writer, line, width);
  encoder.newline(FEED_BEFORE_CUT);
  if (cutter) encoder.cut("partial");
  return encoder.encode();
}

/** Returns how many characters a line of this printer holds. */
export function columnsOn(printer: Pick<Printer, "width" | "model">): number {
  return encoderFor(printer).columns;
}

/** Returns an encoder for the printer. Models unknown to the library get its defaults. */
function encoderFor({ width, model }: Pick<Printer, "width" | "model">): ReceiptPrinterEncoder {
  const columns = COLUMNS[width];
  const normalized = model?.trim().toLowerCase();
  const knownModel = ReceiptPrinterEncoder.printerModels.find(
    ({ id, name }) => normalized === id || normalized === name.toLowerCase(),
  );
  const always: ReceiptPrinterEncoderOptions = { newline: "\n", feedBeforeCut: 0 };
  if (knownModel === undefined) return new ReceiptPrinterEncoder({ ...always, columns });
  const printerModel = knownModel.id as NonNullable<ReceiptPrinterEncoderOptions["printerModel"]>;
  const own = new ReceiptPrinterEncoder({ ...always, printerModel });
  // Its letters may be wider than usual, or its paper narrower than the model allows.
  return own.columns > columns ? new ReceiptPrinterEncoder({ ...always, printerModel, columns }) : own;
}

/** `page`: the code page of the last text. */
interface Writer {
  encoder: ReceiptPrinterEncoder;
  candidates: readonly Codepage[];
  page: Codepage;
}

function addLine(writer: Writer, line: PaperLine, width: Printer["width"]): void {
  const { encoder } = writer;
  switch (line.kind) {
    case "qr":
      encoder.align("center").qrcode(line.text, { model: 2, size: QR_SIZE[width], errorlevel: "m" }).align("left");
      return;
    case "barcode":
      encoder.align("center").barcode(line.text, "code128", { height: BARCODE_HEIGHT }).align("left");
      return;
    case "text": {
      const { text, size, bold = false, inverse = false } = line;
      if (text === "") {
        encoder.newline();
        return;
      }
      encoder
        .size(size === "large" ? 2 : 1, size === undefined ? 1 : 2)
        .bold(bold)
        .invert(inverse);
      addText(writer, text);
      encoder.invert(false).bold(false).size(1, 1).newline();
    }
  }
}

/**
 * Adds text and changes the page only for a character that is not in it. The library's `auto` does the same but copies a whole
 * page for each character: 60 ms per receipt.
 */
function addText(writer: Writer, text: string): void {
  let run = "";
  const add = (): void => {
    if (run !== "") writer.encoder.codepage(writer.page).text(run);
    run = "";
  };
  for (const character of text) {
    if (!signsOf(writer.page).has(character)) {
      const page = writer.candidates.find((candidate) => signsOf(candidate).has(character));
      if (page !== undefined) {
        add();
        writer.page = page;
      }
    }
    run += character;
  }
  add();
}

function withPrintableText(block: Block, candidates: readonly Codepage[]): Block {
  const printable = (text: string): string =>
    Array.from(text.normalize("NFC"), (character) => characterFor(character, candidates)).join("");
  switch (block.kind) {
    case "text":
      return { ...block, text: printable(block.text) };
    case "row":
      return { ...block, left: printable(block.left), right: printable(block.right) };
    case "rule":
    case "feed":
    case "qr":
    case "barcode":
      return block;
  }
}

/** Substitutes for characters that few code pages have. */
const plainSigns: Readonly<Record<string, string>> = {
  "–": "-",
  "—": "-",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "…": "...",
  "•": "*",
  "€": "EUR",
};

/** Returns a character that the printer has: without its accent if needed, or a question mark if there is no substitute. */
function characterFor(character: string, candidates: readonly Codepage[]): string {
  if (character === "\n" || (character >= " " && character <= "~")) return character;
  if (/\s/u.test(character)) return " ";
  const plain = plainSigns[character];
  if (candidates.some((page) => signsOf(page).has(character))) return character;
  if (plain !== undefined) return plain;
  const base = character.normalize("NFD").replaceAll(/\p{Mark}/gu, "");
  // Marks that join characters, as in emoji, print nothing.
  if (base === "") return "";
  return /^[ -~]+$/u.test(base) ? base : "?";
}

/** The library's code point for an unassigned character. */
const NOTHING = 0xfffd;
const signsOfPages = new Map<Codepage, ReadonlySet<string>>();

/** Returns the characters of a page, without its control codes. */
function signsOf(page: Codepage): ReadonlySet<string> {
  let signs = signsOfPages.get(page);
  if (signs === undefined) {
    const { codepoints } = CodepageEncoder.getEncoding(page);
    const printable = codepoints.slice(0x20).filter((codepoint) => codepoint !== NOTHING);
    signs = new Set(printable.map((codepoint) => String.fromCodePoint(codepoint)));
    signsOfPages.set(page, signs);
  }
  return signs;
}
