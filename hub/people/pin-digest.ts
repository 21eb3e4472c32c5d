import { type BinaryLike, scrypt, timingSafeEqual } from "node:crypto";

const BYTES = 32;

/** Returns the stored form of a PIN. Its 50 ms of work, outside the event loop, slow down guessing. */
export function digestPin(pin: string, salt: BinaryLike): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(pin, salt, BYTES, (error, digest) => (error === null ? resolve(digest) : reject(error)));
  });
}

/** Compares a PIN in a time that does not depend on where the digests differ. */
export async function matchesPin(pin: string, { salt, digest }: { salt: Buffer; digest: Buffer }): Promise<boolean> {
  const shown = await digestPin(pin, salt);
  return shown.length === digest.length && timingSafeEqual(shown, digest);
}
