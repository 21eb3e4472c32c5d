import type { Block, CheckAddress } from "@comanda/protocol";
import type { PaperContext } from "./paper-context.ts";

type TextStyle = Omit<Extract<Block, { kind: "text" }>, "kind" | "text">;

export function text(content: string, style: TextStyle = {}): Block {
  return { kind: "text", text: content, ...style };
}

export function centered(content: string, style: TextStyle = {}): Block {
  return text(content, { align: "center", ...style });
}

export function row(left: string, right: string, style: Omit<TextStyle, "says"> & { indent?: number } = {}): Block {
  return { kind: "row", left, right, ...style };
}

export const RULE: Block = { kind: "rule" };

/** Joins the facts that are present. */
export function joinFacts(facts: readonly (string | null | undefined | false)[]): string {
  return facts.filter((fact) => typeof fact === "string" && fact !== "").join(" · ");
}

/** What names the place of a check. */
export type Place = Pick<CheckAddress, "orderType" | "tableId" | "ticketNumber" | "checkNumber">;

/** Returns the name of a check's place as people say it: its table, or its ticket number. */
export function placeName({ orderType, tableId, ticketNumber, checkNumber }: Place, context: PaperContext): string {
  if (orderType === "dine_in" && tableId !== null) {
    const name = context.tableName(tableId);
    // A back-office may name its tables by number alone.
    return /^\d+$/.test(name) ? `Mesa ${name}` : name;
  }
  const number = ticketNumber ?? (checkNumber === null ? "" : String(checkNumber));
  const kind = { dine_in: "En mesa", takeout: "Para llevar", delivery: "A domicilio" }[orderType];
  return `${kind} ${number}`.trim();
}

export function guestsText(count: number): string {
  return count === 1 ? "1 persona" : `${count} personas`;
}

/** A document with a line above it that says why it is printed here. */
export function withMark(blocks: readonly Block[], content: string): Block[] {
  return [centered(content, { bold: true, inverse: true }), ...blocks];
}
