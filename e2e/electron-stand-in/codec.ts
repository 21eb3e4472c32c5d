// Carries values between main, preload and page as text. Also runs in the page from its source text: uses nothing from outside.

export interface Codec {
  encode(value: unknown): string;
  decode(text: string): unknown;
}

type AnyFunction = (...args: unknown[]) => unknown;

/** Passes things that cannot be copied by reference; without it they cannot be sent. */
export interface References {
  registerFunction(value: AnyFunction): number;
  registerPromise(value: PromiseLike<unknown>): number;
  reviveFunction(id: number): AnyFunction;
  revivePromise(id: number): Promise<unknown>;
}

export function createCodec(references?: References): Codec {
  const pack = (value: unknown): unknown => {
    if (value === undefined) return { $: "undefined" };
    if (typeof value === "bigint") return { $: "bigint", v: String(value) };
    if (typeof value === "number" && !Number.isFinite(value)) return { $: "number", v: String(value) };
    if (typeof value === "function") {
      if (references === undefined) throw new Error("An object could not be cloned.");
      return { $: "function", v: references.registerFunction(value as AnyFunction) };
    }
    if (value === null || typeof value !== "object") return value;
    if (value instanceof Date) return { $: "date", v: value.getTime() };
    if (value instanceof Map) return { $: "map", v: [...value].map(([key, item]) => [pack(key), pack(item)]) };
    if (value instanceof Set) return { $: "set", v: [...value].map(pack) };
    if (value instanceof Error) return { $: "error", v: [value.name, value.message, value.stack] };
    if (value instanceof Uint8Array) return { $: "bytes", v: [...value] };
    if (Array.isArray(value)) return value.map(pack);
    if (typeof (value as { then?: unknown }).then === "function") {
      if (references === undefined) throw new Error("An object could not be cloned.");
      return { $: "promise", v: references.registerPromise(value as PromiseLike<unknown>) };
    }
    return { $: "object", v: Object.entries(value).map(([key, item]) => [key, pack(item)]) };
  };

  const unpack = (packed: unknown): unknown => {
    if (packed === null || typeof packed !== "object") return packed;
    if (Array.isArray(packed)) return packed.map(unpack);
    const { $: kind, v } = packed as { $: string; v: never };
    switch (kind) {
      case "undefined":
        return undefined;
      case "bigint":
        return BigInt(v);
      case "number":
        return Number(v);
      case "date":
        return new Date(v);
      case "map":
        return new Map((v as [unknown, unknown][]).map(([key, item]) => [unpack(key), unpack(item)]));
      case "set":
        return new Set((v as unknown[]).map(unpack));
      case "bytes":
        return Uint8Array.from(v);
      case "error": {
        const [name, message, stack] = v as [string, string, string];
        return Object.assign(new Error(message), { name, stack });
      }
      case "function":
        return references?.reviveFunction(v);
      case "promise":
        return references?.revivePromise(v);
      default:
        return Object.fromEntries((v as [string, unknown][]).map(([key, item]) => [key, unpack(item)]));
    }
  };

  return { encode: (value) => JSON.stringify(pack(value)), decode: (text) => unpack(JSON.parse(text)) };
}
