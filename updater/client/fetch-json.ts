import { UpdateRefused } from "./update-refused.ts";

export type Fetch = (
  address: string,
  init: { headers: Record<string, string>; redirect: "error"; signal: AbortSignal },
) => Promise<Response>;

const maxBytes = 1 << 20;

/**
 * GETs a JSON answer: null for 204, refused for anything but 200. One time-out covers the whole exchange. The address may
 * be plain http, as a back-office on the restaurant's own network has it: whoever changes the answer on the way can
 * withhold an update, but offer none, because a file is installed by its signature and only as a newer version.
 */
export async function fetchJson(fetch: Fetch, address: string, timeoutMs: number): Promise<unknown> {
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
  return JSON.parse(await readBounded(answer)) as unknown;
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
