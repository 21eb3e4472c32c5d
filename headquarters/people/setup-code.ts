import { timingSafeEqual } from "node:crypto";
import { newCode } from "../codes.ts";

export type SetupCode = ReturnType<typeof createSetupCode>;

/** Creates the code that adds the first owner. It is valid for this run of the program and shown only in the log. */
export function createSetupCode() {
  const signs = newCode(12);
  const own = Buffer.from(signs);
  return {
    shown: signs.replaceAll(/(.{4})(?=.)/g, "$1-"),
    matches(code: string): boolean {
      const shown = Buffer.from(code.toUpperCase().replaceAll(/[\s-]/g, ""));
      return shown.length === own.length && timingSafeEqual(shown, own);
    },
  };
}
