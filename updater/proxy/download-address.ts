import { createHmac, timingSafeEqual } from "node:crypto";

export type AddressVerdict = "good" | "forged" | "expired";

/** Signs and checks download addresses of the form `/download/VERSION/FILE?expires=MS&signature=…`. */
export interface DownloadAddresses {
  create(folder: string, file: string): string;
  check(folder: string, file: string, expires: unknown, signature: unknown): AddressVerdict;
}

export function createDownloadAddresses(secret: string, ttlMs: number, now: () => number): DownloadAddresses {
  const seal = (folder: string, file: string, expires: string) =>
    createHmac("sha256", secret)
      .update(JSON.stringify([folder, file, expires]))
      .digest();

  return {
    create(folder, file) {
      const expires = String(now() + ttlMs);
      const signature = seal(folder, file, expires).toString("base64url");
      return `/download/${encodeURIComponent(folder)}/${encodeURIComponent(file)}?expires=${expires}&signature=${signature}`;
    },
    check(folder, file, expires, signature) {
      if (typeof expires !== "string" || typeof signature !== "string" || !/^\d{1,16}$/.test(expires)) return "forged";
      const expected = seal(folder, file, expires);
      const given = Buffer.from(signature, "base64url");
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
      return now() < Number(expires) ? "good" : "expired";
    },
  };
}
