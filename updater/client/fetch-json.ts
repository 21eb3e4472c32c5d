import type { z } from "zod";
import { UpdateRefused } from "./update-refused.ts";

export type Fetch = (
  address: string,
  init: { headers: Record<string, string>; redirect: "error"; signal: AbortSignal },
) => Promise<Response>;

const maxBytes = 1 << 20;

/**
 * Requests a JSON answer with GET. Returns null for 204. Throws an UpdateRefused for any other status but 200, or for another
 * shape. One timeout covers the whole exchange. Plain http is allowed, as for a back-office on the restaurant's network: an
 * attacker can withhold an update but not forge one, because installing requires a valid signature and a newer version.
 */
export async function fetchJson<T>(
  fetch: Fetch,
  address: string,
  schema: z.ZodType<T>,
  timeoutMs: number,
): Promise<T | null> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(address, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal,
  });
  if (answer.status === 204) return null;
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new UpdateRefused(`The update service answered ${answer.status}.`);
  }
  return readAs(schema, parseJson(await readBounded(answer)));
}

/** Parses a value. Throws an UpdateRefused if it does not match the schema. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UpdateRefused("The update service's answer cannot be read.");
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new UpdateRefused("The update service's answer is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
