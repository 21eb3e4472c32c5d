import { HubError } from "../../errors.ts";

/** The raw segments of a path below a prefix; null when the path is not below it. */
export function segmentsBelow(prefix: string, path: string): string[] | null {
  if (path === prefix) return [];
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1).split("/") : null;
}

/** The raw `:name` segments of a path that fits the template, or null. */
export function matchPath(template: string, segments: readonly string[]): Record<string, string> | null {
  const parts = template.split("/").slice(1);
  if (parts.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? "";
    if (part.startsWith(":") && segment !== "") params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}

/** Decodes a segment once: `%2F` is a slash in a reference, `%252F` is not. */
export function decodeSegment(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new HubError("VALIDATION_ERROR", "the path has a malformed escape");
  }
}
