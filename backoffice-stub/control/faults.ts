import type { Fault, FaultAction, RequestFault } from "./fault.ts";

export interface AppliedFault {
  action: FaultAction;
  latencyMs: number;
  status: number;
  body: unknown;
}

export type Faults = ReturnType<typeof createFaults>;

/** Faults set by tests, in memory, so a restart clears them. */
export function createFaults() {
  let list: readonly Fault[] = [];
  let used = new Map<RequestFault, number>();

  function replace(faults: readonly Fault[]): void {
    list = faults;
    used = new Map();
  }

  return {
    replace,

    /** Counts one use of the first fault that matches and has uses left. */
    take(method: string, path: string): AppliedFault | null {
      const fault = list.find(
        (one): one is RequestFault => "path" in one && matches(one, method, path) && hasUsesLeft(one, used),
      );
      if (fault === undefined) return null;
      used.set(fault, (used.get(fault) ?? 0) + 1);
      const { action = "none", latencyMs = 0, status = 500, body } = fault;
      return { action, latencyMs, status, body };
    },

    refusalOf(posReference: string): { error: string; errorCode: string } | null {
      for (const fault of list) {
        if ("refuse" in fault && fault.refuse.posReferences.includes(posReference)) return fault.refuse;
      }
      return null;
    },
  };
}

function hasUsesLeft(fault: RequestFault, used: ReadonlyMap<RequestFault, number>): boolean {
  return fault.times === undefined || (used.get(fault) ?? 0) < fault.times;
}

function matches(fault: RequestFault, method: string, path: string): boolean {
  if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
  return matchesPattern(fault.path, path);
}

/** `*` matches any characters, including none and slashes. */
export function matchesPattern(pattern: string, path: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(path);
}
