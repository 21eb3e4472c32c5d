import { createHmac, timingSafeEqual } from "node:crypto";

export type DownloadAddresses = ReturnType<typeof createDownloadAddresses>;

/** Signs and checks download addresses of the form `/download/VERSION/FILE?expires=MS&signature=…`. */
export function createDownloadAddresses(secret: string, ttlMs: number, now: () => number) {
  const seal = (folder: string, file: string, expires: string) =>
    createHmac("sha256", secret)
      .update(JSON.stringify([folder, file, expires]))
      .digest("base64url");

  return {
    create(folder: string, file: string): string {
      const expires = String(now() + ttlMs);
      const signature = seal(folder, file, expires);
      return `/download/${encodeURIComponent(folder)}/${encodeURIComponent(file)}?expires=${expires}&signature=${signature}`;
    },
    check(folder: string, file: string, expires: unknown, signature: unknown): "good" | "forged" | "expired" {
      if (typeof expires !== "string" || typeof signature !== "string" || !/^\d{1,16}$/.test(expires)) return "forged";
      // Compared as text, because several texts decode to the same bytes.
      const expected = Buffer.from(seal(folder, file, expires));
      const received = Buffer.from(signature);
      if (received.length !== expected.length || !timingSafeEqual(received, expected)) return "forged";
      return now() < Number(expires) ? "good" : "expired";
    },
  };
}
