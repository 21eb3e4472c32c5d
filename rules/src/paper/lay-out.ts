import type { Block } from "@comanda/protocol";

type TextBlock = Extract<Block, { kind: "text" }>;

/** A line on paper. `text` includes the spaces that place it; a code has its own width. */
export type PaperLine =
  | ({ kind: "text"; text: string } & Pick<TextBlock, "size" | "bold" | "inverse">)
  | { kind: "qr" | "barcode"; text: string };

/** A word longer than a line starts on the current line if at least this many columns are left. */
const WORTH_FILLING = 8;
const HANGING = 2;

/** Lays out a document in lines of columns. The printer's bytes, the preview and the browser's print use the same lines. */
export function layOut(blocks: readonly Block[], columns: number): PaperLine[] {
  return blocks.flatMap((block, index): PaperLine[] => {
    switch (block.kind) {
      case "text": {
        const width = columnsOf(block, columns);
        return wrap(block.text, width).map((text) => styled(block, align(text, width, block), width));
      }
      case "row": {
        const isTooLong = block.size === "large" && columnsOfText(block.right) > columnsOf(block, columns);
        const fitting = isTooLong ? { ...block, size: "tall" as const } : block;
        return row(fitting, columnsOf(fitting, columns));
      }
      case "rule":
        // Between two rules there is nothing to separate.
        if (blocks[index - 1]?.kind === "rule") return [];
        return [{ kind: "text", text: "-".repeat(columns) }];
      case "feed":
        return Array.from({ length: block.lines }, (): PaperLine => ({ kind: "text", text: "" }));
      case "qr":
      case "barcode":
        return [{ kind: block.kind, text: block.text }];
    }
  });
}

/** Returns the number of columns of a text. A letter with an accent counts as one, composed or not. */
export function columnsOfText(text: string): number {
  return letters(text).length;
}

function row(block: Extract<Block, { kind: "row" }>, width: number): PaperLine[] {
  const { left, right, indent = 0 } = block;
  const rightWidth = right === "" ? 0 : columnsOfText(right) + 1;
  const room = width - indent - rightWidth;
  const margin = " ".repeat(indent);
  // If too little room is left for the words, the amount goes on the line below.
  if (room < -1 || (room < WORTH_FILLING && columnsOfText(left) > Math.max(0, room))) {
    const lines = wrap(left, width - indent).map((text) => styled(block, margin + text, width));
    return right === ""
      ? lines
      : [...lines, ...wrap(right, width).map((text) => styled(block, text.padStart(width), width))];
  }
  const [first = ""] = wrap(left, room);
  const after = wordsOf(left).join(" ").slice(first.length).trim();
  // Continuation lines are indented further.
  const rest = after === "" ? [] : wrap(after, room - HANGING).map((text) => " ".repeat(HANGING) + text);
  const gap = width - indent - columnsOfText(first) - columnsOfText(right);
  const head = right === "" ? margin + first : margin + first + " ".repeat(Math.max(0, gap)) + right;
  return [head, ...rest.map((text) => margin + text)].map((text) => styled(block, text, width));
}

function styled(block: Pick<TextBlock, "size" | "bold" | "inverse">, text: string, width: number): PaperLine {
  const { size, bold, inverse } = block;
  return {
    kind: "text",
    // Padded, so that the inverse bar spans the paper.
    text: inverse === true ? text + " ".repeat(Math.max(0, width - columnsOfText(text))) : text,
    ...(size !== undefined && { size }),
    ...(bold !== undefined && { bold }),
    ...(inverse !== undefined && { inverse }),
  };
}

function columnsOf({ size }: Pick<TextBlock, "size">, columns: number): number {
  return size === "large" ? Math.floor(columns / 2) : columns;
}

function align(text: string, width: number, { align: alignment }: Pick<TextBlock, "align">): string {
  const free = Math.max(0, width - columnsOfText(text));
  if (alignment === "right") return " ".repeat(free) + text;
  return alignment === "center" ? " ".repeat(Math.floor(free / 2)) + text : text;
}

/** Wraps a text between words; within a word only if it is longer than a line. */
function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => wrapParagraph(paragraph, Math.max(1, width)));
}

function wrapParagraph(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of wordsOf(text)) {
    let rest = word;
    const joined = line === "" ? rest : `${line} ${rest}`;
    if (columnsOfText(joined) <= width) {
      line = joined;
      continue;
    }
    const room = width - columnsOfText(line) - 1;
    if (columnsOfText(rest) > width && line !== "" && room >= WORTH_FILLING) {
      line += ` ${letters(rest).slice(0, room).join("")}`;
      rest = letters(rest).slice(room).join("");
    }
    if (line !== "") lines.push(line);
    while (columnsOfText(rest) > width) {
      lines.push(letters(rest).slice(0, width).join(""));
      rest = letters(rest).slice(width).join("");
    }
    line = rest;
  }
  return [...lines, line];
}

function wordsOf(text: string): string[] {
  return text
    .normalize("NFC")
    .split(/\s+/u)
    .filter((word) => word !== "");
}

function letters(text: string): string[] {
  return Array.from(text.normalize("NFC"));
}
