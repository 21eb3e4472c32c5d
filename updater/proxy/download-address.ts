import { createHmac, timingSafeEqual } from "node:crypto";

export type DownloadAddresses = ReturnType<typeof createDownloadAddresses>;

/** Signs and checks download addresses of the form `/download/VERSION/FILE?expires=MS&signature=…`. */
export function createDownloadAddresses(secret: string, ttlMs: number, now: () => number) {
  const seal = (folder: string, file: string, expires: string) =>
    createHmac("sha256", secret)
      .update(JSON.stringify([folder, file, expires]))
      .digest();

  return {
    create(folder: string, file: string): string {
      const expires = String(now() + ttlMs);
      const signature = seal(folder, file, expires).toString("base64url");
      return `/download/${encodeURIComponent(folder)}/${encodeURIComponent(file)}?expires=${expires}&signature=${signature}`;
    },
    check(folder: string, file: string, expires: unknown, signature: unknown): "good" | "forged" | "expired" {
      if (typeof expires !== "string" || typeof signature !== "string" || !/^\d{1,16}$/.test(expires)) return "forged";
      const expected = seal(folder, file, expires);
      const given = Buffer.from(signature, "base64url");
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "forged";
      return now() < Number(expires) ? "good" : "expired";
    },
  };
}
