import type { SheetName } from "./sheet-props.ts";

/** The acts that apply to the chosen lines, if there are any. */
const lineSheets: ReadonlySet<SheetName> = new Set(["void", "move", "discount", "comp", "words"]);

/** An open sheet, the check it is for, and whether it acts on chosen lines. */
export interface OpenSheet {
  name: SheetName;
  of: string | undefined;
  isOfLines: boolean;
}

export function openSheet(name: SheetName, of: string | undefined, chosenLines: number): OpenSheet {
  return { name, of, isOfLines: chosenLines > 0 && lineSheets.has(name) };
}

/** Whether a sheet still has its subject: an act on lines must not apply to another check or to the whole check. */
export function hasSubject({ of, isOfLines }: OpenSheet, shown: string | undefined, chosenLines: number): boolean {
  return of === shown && (!isOfLines || chosenLines > 0);
}
