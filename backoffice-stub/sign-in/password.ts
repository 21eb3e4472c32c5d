import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

export interface PasswordHash {
  salt: string;
  hash: string;
}

export function hashPassword(password: string): PasswordHash {
  const salt = randomBytes(16).toString("hex");
  return { salt, hash: digest(password, salt).toString("hex") };
}

export function isPassword(password: string, { salt, hash }: PasswordHash): boolean {
  return timingSafeEqual(digest(password, salt), Buffer.from(hash, "hex"));
}

/** The low cost is deliberate: passwords equal logins, and benchmarks sign in hundreds of terminals. */
function digest(password: string, salt: string): Buffer {
  return scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 });
}
