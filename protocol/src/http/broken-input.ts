import { CONTROL_CHARACTER } from "../basics/fields.ts";

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/;

/** Bounds the length of a path, because the sender chose the names in it. */
const MAX_PATH_LENGTH = 200;

/**
 * Returns the first problem in any field of a message, known or not, as `field: problem`, or null. Problems are control
 * characters other than line break (LF or CR LF) and tab, lone surrogates, numbers that JSON cannot carry exactly, and nesting
 * deeper than `maxDepth`. With `takesAnyText`, strings are not checked.
 */
export function brokenInput(root: unknown, maxDepth: number, takesAnyText = false): string | null {
  const fault = faultIn(root, maxDepth, takesAnyText);
  if (fault === null) return null;
  if (fault.path === null) return `nested deeper than ${maxDepth} levels`;
  return `${fault.path.join(".").slice(0, MAX_PATH_LENGTH) || "the message"}: ${fault.problem}`;
}

interface Fault {
  /** Field names and list indexes from the outermost in; null if the message is nested too deeply. */
  path: string[] | null;
  problem: string;
}

/** Builds the path only on the way back from a fault, because this runs for every message. */
function faultIn(value: unknown, depthLeft: number, takesAnyText: boolean): Fault | null {
  if (typeof value === "string") {
    return takesAnyText || !isBrokenText(value) ? null : { path: [], problem: CONTROL_CHARACTER };
  }
  if (typeof value === "number") {
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : { path: [], problem: "must be a number below 2^53" };
  }
  if (typeof value !== "object" || value === null) return null;
  // Also bounds the recursion.
  if (depthLeft < 0) return { path: null, problem: "" };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = faultIn(value[index], depthLeft - 1, takesAnyText);
      if (fault !== null) return nested(String(index), fault);
    }
    return null;
  }
  const fields = value as Record<string, unknown>;
  // `Object.keys` rather than `for...in`: the engine deoptimizes `for...in` when object shapes vary.
  for (const key of Object.keys(fields)) {
    if (!takesAnyText && isBrokenText(key)) return { path: [], problem: `a field's name ${CONTROL_CHARACTER}` };
    const fault = faultIn(fields[key], depthLeft - 1, takesAnyText);
    if (fault !== null) return nested(key, fault);
  }
  return null;
}

function nested(place: string, fault: Fault): Fault {
  return { ...fault, path: fault.path === null ? null : [place, ...fault.path] };
}

/** Checks the same as CONTROL. A loop, because it runs for every string of every message and most are short. */
function isBrokenText(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) continue;
    if (code === 0x0a || code === 0x09 || (code === 0x0d && text.charCodeAt(at + 1) === 0x0a)) continue;
    if (code < 0xa0) return true;
    if (code >= 0xd800 && code < 0xe000) return CONTROL.test(text) || !text.isWellFormed();
  }
  return false;
}

/** Returns a copy with each control character that `brokenInput` rejects replaced by a space, and CR LF by LF. */
export function withoutControlCharacters<T>(value: T): T {
  const clean = (_key: string, each: unknown): unknown => (typeof each === "string" ? cleanText(each) : each);
  return JSON.parse(JSON.stringify(value), clean) as T;
}

function cleanText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n");
  return isBrokenText(lines) ? lines.replaceAll(new RegExp(CONTROL, "g"), " ").toWellFormed() : lines;
}
