import { CONTROL_CHARACTER } from "./fields.ts";

/** Where a value lies within its message; the path is only spelled out when there is something to say about it. */
interface Place {
  value: object;
  key: string;
  within: Place | null;
  depth: number;
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/**
 * Says what no message may hold anywhere, in a known field or not, as `field: what is wrong`, or null: control characters
 * other than line break and tab, half surrogate pairs, numbers that JSON cannot carry exactly, nesting deeper than
 * `maxDepth`. Walks without recursion, because a message may be built to overflow it. `takesAnyText` leaves texts alone.
 */
export function brokenInput(root: unknown, maxDepth: number, takesAnyText = false): string | null {
  if (typeof root !== "object" || root === null) return null;
  const open: Place[] = [{ value: root, key: "", within: null, depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (place.depth > maxDepth) return `nested deeper than ${maxDepth} levels`;
    for (const [key, value] of Object.entries(place.value)) {
      if (!takesAnyText && isBrokenText(key)) return `${pathOf(place)}: a field's name ${CONTROL_CHARACTER}`;
      if (typeof value === "string") {
        if (!takesAnyText && isBrokenText(value)) return `${pathOf(place, key)}: ${CONTROL_CHARACTER}`;
      } else if (typeof value === "number") {
        if (!(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) return `${pathOf(place, key)}: must be a number below 2^53`;
      } else if (typeof value === "object" && value !== null) {
        open.push({ value, key, within: place, depth: place.depth + 1 });
      }
    }
  }
  return null;
}

function isBrokenText(text: string): boolean {
  return CONTROL.test(text) || !text.isWellFormed();
}

function pathOf(place: Place, ...last: string[]): string {
  const keys = last;
  for (let each: Place | null = place; each !== null; each = each.within)
    if (each.within !== null) keys.unshift(each.key);
  return keys.length === 0 ? "the message" : keys.join(".").slice(0, 200);
}

/** A value of an older record with a space for each control character that `brokenInput` would name. */
export function withoutControlCharacters<T>(value: T): T {
  const clean = (_key: string, each: unknown): unknown =>
    typeof each === "string" && isBrokenText(each)
      ? each.replaceAll(new RegExp(CONTROL, "g"), " ").toWellFormed()
      : each;
  return JSON.parse(JSON.stringify(value), clean) as T;
}
