import type { Enrolled, Enrolment as EnrolmentRequest } from "@comanda/protocol/chain.ts";
import { digestOf, newCode } from "../codes.ts";
import { chainUsers } from "../db/chain-users.ts";
import { recordAudit } from "../db/audit.ts";
import type { Database, Queries } from "../db/database.ts";
import type { Nats } from "../nats/open-nats.ts";
import { Refusal } from "../refusal.ts";
import type { World } from "../world.ts";
import { createGuessLimits, networkOf } from "../guess-limits.ts";

const CODE_MS = 10 * 60_000;
const CODE_LENGTH = 8;
/** Wrong codes from a network within WRONG_MS, after which it has to wait. */
const MAX_WRONG = 5;
const WRONG_MS = 10 * 60_000;

export type Enrolment = ReturnType<typeof createEnrolment>;

interface CodeRow {
  restaurantId: string;
  name: string;
  expiresAt: Date;
  usedKey: string | null;
}

export function createEnrolment(
  { database, nats, chainName }: { database: Database; nats: Nats; chainName: string },
  world: World,
) {
  const checkGuess = createGuessLimits(world.now, WRONG_MS);
  const at = () => new Date(world.now());

  /** Admits the hubs in the database to NATS and disconnects all others. */
  const admit = (): Promise<void> => nats.admit(() => chainUsers(database));

  async function findCode({ query }: Queries, code: string): Promise<CodeRow | undefined> {
    const [row] = await query<CodeRow>(
      `SELECT c.restaurant_id AS "restaurantId", r.name, c.expires_at AS "expiresAt", c.used_key AS "usedKey"
       FROM enrolment_codes c JOIN restaurants r ON r.id = c.restaurant_id
       WHERE c.digest = $1 FOR UPDATE OF c`,
      [digestOf(code)],
    );
    return row;
  }

  /** Redeems a code: writes the hub and its key to the code's restaurant. Returns null if there is no such code. */
  async function redeemCode(queries: Queries, request: EnrolmentRequest): Promise<CodeRow | null> {
    const row = await findCode(queries, request.code);
    if (row === undefined) return null;
    if (row.expiresAt.getTime() <= world.now()) {
      throw new Refusal("ENROLMENT_CODE_EXPIRED", "the code has expired: ask headquarters for another");
    }
    if (row.usedKey !== null && row.usedKey !== request.publicKey) {
      throw new Refusal("ENROLMENT_CODE_USED", "the code was used already: ask headquarters for another");
    }
    const [other] = await queries.query<{ name: string; hasKey: boolean }>(
      `SELECT name, public_key = $1 AS "hasKey" FROM restaurants WHERE (public_key = $1 OR hub_id = $2) AND id <> $3`,
      [request.publicKey, request.hubId, row.restaurantId],
    );
    if (other?.hasKey === true) throw new Refusal("KEY_IN_USE", "the key is that of another restaurant's hub");
    // The hub would send that restaurant's sales as this one's too, and the chain would count them twice.
    if (other !== undefined) throw new Refusal("HUB_IN_USE", `this hub is that of ${other.name}: cut it there first`);
    await forgetOtherHub(queries, row.restaurantId, request.hubId);
    await queries.query("UPDATE restaurants SET hub_id = $2, public_key = $3, enrolled_at = $4 WHERE id = $1", [
      row.restaurantId,
      request.hubId,
      request.publicKey,
      at(),
    ]);
    await queries.query("INSERT INTO restaurant_hubs VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [
      row.restaurantId,
      request.hubId,
      at(),
    ]);
    await queries.query("UPDATE enrolment_codes SET used_key = $2 WHERE restaurant_id = $1", [
      row.restaurantId,
      request.publicKey,
    ]);
    const { hubId, hubName, version } = request;
    const { restaurantId } = row;
    const detail = { hubId, version };
    await recordAudit(queries, world.now(), { person: hubName, action: "hub.enrolled", restaurantId, detail });
    return row;
  }

  /** Deletes the last beat and the undecided outcomes of a former hub: they say nothing about this hub. */
  async function forgetOtherHub({ query }: Queries, restaurantId: string, hubId: string): Promise<void> {
    await query(
      `DELETE FROM beats WHERE restaurant_id = $1
         AND $2 IS DISTINCT FROM (SELECT hub_id FROM restaurants WHERE id = $1)`,
      [restaurantId, hubId],
    );
    await query(
      `UPDATE proposal_states SET outcome = NULL, at = NULL, written_at = $3
       WHERE restaurant_id = $1 AND outcome->>'state' IN ('waiting', 'conflict')
         AND $2 <> (SELECT hub_id FROM cursors WHERE restaurant_id = $1)`,
      [restaurantId, hubId, at()],
    );
  }

  /** Revokes the restaurant's hub in the caller's transaction. Call `admit` after the commit. */
  async function cut(queries: Queries, restaurantId: string, by: string): Promise<void> {
    await queries.query("UPDATE restaurants SET hub_id = NULL, public_key = NULL WHERE id = $1", [restaurantId]);
    await queries.query("DELETE FROM enrolment_codes WHERE restaurant_id = $1", [restaurantId]);
    await recordAudit(queries, world.now(), { person: by, action: "hub.revoked", restaurantId });
  }

  return {
    cut,
    admit,

    /** Creates a code for a restaurant, which replaces the code before. The code is shown once. */
    async createCode(restaurantId: string, madeBy: string): Promise<{ code: string; expiresAt: Date }> {
      const code = newCode(CODE_LENGTH);
      const expiresAt = new Date(world.now() + CODE_MS);
      const [restaurant] = await database.query("SELECT id FROM restaurants WHERE id = $1", [restaurantId]);
      if (restaurant === undefined) throw new Refusal("NOT_FOUND", "there is no such restaurant");
      await database.query(
        `INSERT INTO enrolment_codes (restaurant_id, digest, expires_at, made_by) VALUES ($1, $2, $3, $4)
         ON CONFLICT (restaurant_id) DO UPDATE
         SET digest = $2, expires_at = $3, made_by = $4, used_key = NULL`,
        [restaurantId, digestOf(code), expiresAt, madeBy],
      );
      return { code, expiresAt };
    },

    /** Enrols the hub with the public key in the request. Throws a Refusal. */
    async enrol(request: EnrolmentRequest, address: string): Promise<Enrolled> {
      const row = await checkGuess([[networkOf(address), MAX_WRONG]], () =>
        database.transaction((queries) => redeemCode(queries, request)),
      );
      if (row === null) throw new Refusal("ENROLMENT_CODE_WRONG", "there is no such code");
      await admit();
      world.log.info({ restaurant: row.restaurantId, hubId: request.hubId }, "a hub was enrolled");
      return {
        restaurantId: row.restaurantId,
        restaurantName: row.name,
        chainName,
        url: nats.publicUrl,
        ...(nats.ca !== null && { ca: nats.ca }),
      };
    },

    /**
     * Revokes the restaurant's hub until it is enrolled again. With `enrolledAt`, revokes only the hub that was enrolled then:
     * throws CONFLICT if there is another hub now, and does nothing if there is none.
     */
    async revoke(restaurantId: string, by: string, enrolledAt?: string): Promise<void> {
      const isCut = await database.transaction(async (queries) => {
        if (enrolledAt !== undefined && !(await isStillEnrolled(queries, restaurantId, enrolledAt))) return false;
        await cut(queries, restaurantId, by);
        return true;
      });
      if (!isCut) return;
      await admit();
      world.log.info({ restaurant: restaurantId }, "a restaurant's key was revoked");
    },
  };
}

/** Returns whether the hub enrolled at that time is still there; false if none is. Throws CONFLICT if another hub is. */
async function isStillEnrolled({ query }: Queries, restaurantId: string, enrolledAt: string): Promise<boolean> {
  const [hub] = await query<{ isSame: boolean }>(
    `SELECT date_trunc('milliseconds', enrolled_at) = $2 AS "isSame" FROM restaurants
     WHERE id = $1 AND hub_id IS NOT NULL FOR UPDATE`,
    [restaurantId, new Date(enrolledAt)],
  );
  if (hub?.isSame === false) throw new Refusal("CONFLICT", "another hub was enrolled meanwhile");
  return hub !== undefined;
}
