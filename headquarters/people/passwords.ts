import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const SALT_BYTES = 16;
const KEY_BYTES = 32;
/** Costs 32 MiB and some 80 ms for each guess. */
const COST = { N: 2 ** 15, r: 8, p: 1 };

/** Returns the stored form of a password: cost, salt and key. With the cost stored, a later version can raise it. */
export async function digestPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return [COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join(".");
}

/** Returns whether a password is the stored one. A null stored form takes the same time and never matches. */
export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  const [n, r, p, salt, key] = (stored ?? dummyDigest).split(".");
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key ?? "", "base64url");
  const actual = await derive(password, Buffer.from(salt ?? "", "base64url"), cost);
  return actual.length === expected.length && timingSafeEqual(actual, expected) && stored !== null;
}

const dummyDigest = [COST.N, COST.r, COST.p, "AAAAAAAAAAAAAAAAAAAAAA", "AA"].join(".");

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
