import { sign } from "./sign.ts";

/** The headers of one attempt; the signature carries the time of this attempt. Without a secret there is none. */
export function deliveryHeaders(delivery: {
  id: number | string;
  event: string;
  secret: string | null;
  /** Wall time of the attempt, ms since 1970. */
  at: number;
  body: Buffer;
}): Record<string, string> {
  const { id, event, secret, at, body } = delivery;
  return {
    "content-type": "application/json",
    "user-agent": "Comanda-Hub",
    "x-hub-event": event,
    "x-hub-delivery": String(id),
    ...(secret !== null && { "x-hub-signature": sign(secret, Math.floor(at / 1000), body) }),
  };
}
