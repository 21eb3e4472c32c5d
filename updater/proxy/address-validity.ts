import { DAY_MS } from "@comanda/protocol";
/** The assumed validity of an address without an expiry. */
const assumedValidityMs = 600_000;

/** Expiry values further in the past are ignored: no host returns an address that expired more than a day ago. */
const believedPastMs = DAY_MS;

/**
 * Returns how long a pre-signed address is valid after `nowMs`, from its query: S3 and Google (`X-…-Date` with `X-…-Expires`),
 * Azure (`se`), CloudFront and older S3 (`Expires`), and the expiry of a signed token (`jwt`). The earliest counts. `nowMs`
 * should be the host's own clock, so that a wrong clock here does not matter.
 */
export function addressValidityMs(address: string, nowMs: number): number {
  const query = new Map([...new URL(address).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const ends = [
    expiryOf(query.get("x-amz-date"), query.get("x-amz-expires")),
    expiryOf(query.get("x-goog-date"), query.get("x-goog-expires")),
    isoTime(query.get("se")),
    seconds(query.get("expires")),
    tokenEnd(query.get("jwt")),
  ].filter((end): end is number => end !== undefined && end > nowMs - believedPastMs);
  if (ends.length === 0) return assumedValidityMs;
  return Math.max(0, Math.min(...ends) - nowMs);
}

function expiryOf(date: string | undefined, lifetime: string | undefined): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date ?? "");
  const lifetimeMs = seconds(lifetime);
  if (parts === null || lifetimeMs === undefined) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + lifetimeMs;
}

function isoTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) * 1000 : undefined;
}

function tokenEnd(token: string | undefined): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString("utf8"));
    if (typeof claims !== "object" || claims === null || !("exp" in claims) || typeof claims.exp !== "number")
      return undefined;
    return claims.exp * 1000;
  } catch {
    return undefined;
  }
}
