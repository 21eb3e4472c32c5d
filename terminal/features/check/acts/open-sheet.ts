import type { SheetName } from "./sheet-props.ts";

/** What these are done to are the chosen lines, where some were chosen. */
const ofLines: ReadonlySet<SheetName> = new Set(["void", "move", "discount", "comp"]);

/** A sheet that is open, on which check, and whether it is about lines of it. */
export interface OpenSheet {
  name: SheetName;
  of: string | undefined;
  isOfLines: boolean;
}

export function openSheet(name: SheetName, of: string | undefined, chosenLines: number): OpenSheet {
  return { name, of, isOfLines: chosenLines > 0 && ofLines.has(name) };
}

/** Whether what a sheet asks is still about the same: another check, or all of it, must not get what was meant for a line. */
export function isStillMeant({ of, isOfLines }: OpenSheet, shown: string | undefined, chosenLines: number): boolean {
  return of === shown && (!isOfLines || chosenLines > 0);
}
