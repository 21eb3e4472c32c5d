import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { Since } from "@comanda/protocol";
import type { Db } from "../../db/open.ts";

const SIGNATURE_BYTES = 16;

/**
 * Signs places in the hub's history and verifies its own signatures: one proves that this history had reached that place. The
 * key is in the data file and its backups, so a restored hub recognizes places that were signed after the backup.
 */
export function createPlaceSigner(db: Db) {
  const digestKey = db.prepare<[], Buffer>("SELECT digest_key FROM hub_state").pluck().get() ?? Buffer.alloc(0);
  // A separate key: no other digest that the hub computes is a valid signature.
  const key = createSecretKey(createHmac("sha256", digestKey).update("places").digest());

  function digest({ hubId, epoch, seq }: Since): Buffer {
    const place = JSON.stringify([hubId, epoch, seq]);
    return createHmac("sha256", key).update(place).digest().subarray(0, SIGNATURE_BYTES);
  }

  return {
    sign: (place: Since): string => digest(place).toString("base64url"),
    isSigned(place: Since): boolean {
      const shown = Buffer.from(place.signature ?? "", "base64url");
      return shown.length === SIGNATURE_BYTES && timingSafeEqual(shown, digest(place));
    },
  };
}
