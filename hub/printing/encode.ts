import type { Block, CodePage, Printer } from "@comanda/protocol";
import CodepageEncoder, { type Codepage, type CodepageEncoding } from "@point-of-sale/codepage-encoder";
import ReceiptPrinterEncoder, { type ReceiptPrinterEncoderOptions } from "@point-of-sale/receipt-printer-encoder";
import { layOut, type PaperLine } from "@comanda/rules";

const pagesRead = new Map<Codepage, CodepageEncoding>();
const readPage = CodepageEncoder.getEncoding.bind(CodepageEncoder);
// The library copies the whole page for each run of text: most of what a receipt costs.
CodepageEncoder.getEncoding = (page) => {
  const read = pagesRead.get(page) ?? readPage(page);
  pagesRead.set(page, read);
  return read;
};

const COLUMNS = { 80: 48, 58: 32 } as const;
/** The modules of a QR code in dots: the address of an electronic receipt (61 of them) fits on both papers. */
const QR_SIZE = { 80: 6, 58: 5 } as const;
/** What the cutter leaves between the print head and the knife. */
const FEED_BEFORE_CUT = 4;
const BARCODE_HEIGHT = 50;

const pages: Record<Exclude<CodePage, "auto">, Codepage> = {
  pc437: "cp437",
  pc850: "cp850",
  pc858: "cp858",
  cp1252: "windows1252",
};
/** What nearly every printer has: a text is in the first of them that has its letters, and capitals with an accent in the second. */
const COMMON_PAGES: readonly Codepage[] = ["cp437", "cp850"];

/** A document as this printer understands it; `opensDrawer` sends the pulse first, so that change is at hand at once. */
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

/** How many signs a line of this printer has. */
export function columnsOn(printer: Pick<Printer, "width" | "model">): number {
  return encoderFor(printer).columns;
}

/** A model that the library does not know prints as most do. */
function encoderFor({ width, model }: Pick<Printer, "width" | "model">): ReceiptPrinterEncoder {
  const columns = COLUMNS[width];
  const wanted = model?.trim().toLowerCase();
  const known = ReceiptPrinterEncoder.printerModels.find(
    ({ id, name }) => wanted === id || wanted === name.toLowerCase(),
  );
  const always: ReceiptPrinterEncoderOptions = { newline: "\n", feedBeforeCut: 0 };
  if (known === undefined) return new ReceiptPrinterEncoder({ ...always, columns });
  const printerModel = known.id as NonNullable<ReceiptPrinterEncoderOptions["printerModel"]>;
  const own = new ReceiptPrinterEncoder({ ...always, printerModel });
  // Its letters may be wider than usual, and the paper narrower than it could take.
  return own.columns > columns ? new ReceiptPrinterEncoder({ ...always, printerModel, columns }) : own;
}

/** `page`: the one that the last text was written in. */
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
 * The page changes only where a sign is not in it. The library's own `auto` does the same, and copies a whole page for each
 * sign: 60 ms a receipt.
 */
function addText(writer: Writer, text: string): void {
  let run = "";
  const add = (): void => {
    if (run !== "") writer.encoder.codepage(writer.page).text(run);
    run = "";
  };
  for (const sign of text) {
    if (!signsOf(writer.page).has(sign)) {
      const page = writer.candidates.find((candidate) => signsOf(candidate).has(sign));
      if (page !== undefined) {
        add();
        writer.page = page;
      }
    }
    run += sign;
  }
  add();
}

function withPrintableText(block: Block, candidates: readonly Codepage[]): Block {
  const printable = (text: string): string =>
    Array.from(text.normalize("NFC"), (sign) => signFor(sign, candidates)).join("");
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

/** Signs that few code pages have, in those of all. */
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

/** A sign that the printer has: without its accent where it lacks that, a question mark for what it cannot write at all. */
function signFor(sign: string, candidates: readonly Codepage[]): string {
  if (sign === "\n" || (sign >= " " && sign <= "~")) return sign;
  if (/\s/u.test(sign)) return " ";
  const plain = plainSigns[sign];
  if (candidates.some((page) => signsOf(page).has(sign))) return sign;
  if (plain !== undefined) return plain;
  const bare = sign.normalize("NFD").replaceAll(/\p{Mark}/gu, "");
  // Marks that join signs, as emoji have them, are none on paper.
  if (bare === "") return "";
  return /^[ -~]+$/u.test(bare) ? bare : "?";
}

/** What the library has where a page has no sign. */
const NOTHING = 0xfffd;
const signsOfPages = new Map<Codepage, ReadonlySet<string>>();

/** The signs of a page, without its control codes. */
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
