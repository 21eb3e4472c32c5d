import { HubError } from "../../platform/errors.ts";

/** The raw segments of a path below a prefix; null when the path is not below it. */
export function segmentsBelow(prefix: string, path: string): string[] | null {
  if (path === prefix) return [];
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1).split("/") : null;
}

/** Finds the route of a method and raw segments among templates in which `:name` stands for one segment. */
export function createRouter<R extends { method: string; path: string }>(
  routes: readonly R[],
): (method: string, segments: readonly string[]) => { route: R; rawParams: Record<string, string> } {
  const prepared = routes.map((route) => ({ route, parts: route.path.split("/").slice(1) }));
  return (method, segments) => {
    for (const { route, parts } of prepared) {
      if (route.method !== method || parts.length !== segments.length) continue;
      const rawParams = matchParts(parts, segments);
      if (rawParams !== null) return { route, rawParams };
    }
    throw new HubError("NOT_FOUND", "there is no such endpoint");
  };
}

function matchParts(parts: readonly string[], segments: readonly string[]): Record<string, string> | null {
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
