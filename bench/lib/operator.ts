import type { StandIn } from "./hub.ts";

/** Sends a manager's request to the hub at `url`; throws unless the status is 200 to 299. */
export async function operator<T>(
  url: string,
  { managerToken }: StandIn,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${url}/operator/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${managerToken}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
