import { Enrolled } from "@comanda/protocol/chain.ts";
import type { SecretCipher } from "../../db/files/secret-cipher.ts";
import { soundRow } from "../../db/integrity/sealed-tables.ts";
import type { Db } from "../../db/open.ts";
import type { Memory } from "../../db/remembered.ts";
import { parseColumn } from "../../db/rows/parse-column.ts";

/** This hub's membership in a chain. */
export interface ChainPlaceOfHub {
  /** Address of headquarters, as the manager entered it. */
  address: string;
  enrolled: Enrolled;
  publicKey: string;
  /** Seed of the hub's nkey, or null if its encryption key is missing, as on another PC. */
  seed: string | null;
  /** ms since 1970 */
  at: number;
  by: string;
}

type Row = Record<"address" | "enrolled" | "publicKey" | "seed" | "by", string> & { at: number };

/** Binds the encrypted seed to its use. */
const SEED_OWNER = "chain";
/** Memory key of the last enrolment that was begun. */
const ENROLMENT = "chainEnrolment";

interface StoredEnrolment {
  code: string;
  seed: string;
}

export type LinkStore = ReturnType<typeof createLinkStore>;

export function createLinkStore(db: Db, cipher: SecretCipher, memory: Memory) {
  const get = db.prepare<[], Row>(`
    SELECT address, enrolled, public_key AS publicKey, seed, at, by_name AS by FROM chain_link
    WHERE ${soundRow(db, "chain_link")}`);
  const save = db.prepare<Row>(`
    INSERT OR REPLACE INTO chain_link (id, address, enrolled, public_key, seed, at, by_name)
    VALUES (1, @address, @enrolled, @publicKey, @seed, @at, @by)`);
  const remove = db.prepare("DELETE FROM chain_link");
  const desiredRev = db.prepare<[], number>("SELECT desired_rev FROM chain_link").pluck();
  const saveDesiredRev = db.prepare<[number]>("UPDATE chain_link SET desired_rev = ?");

  return {
    /** Returns null if the hub belongs to no chain. */
    read(): ChainPlaceOfHub | null {
      const row = get.get();
      if (row === undefined) return null;
      const enrolled = Enrolled.safeParse(parseColumn<unknown>(row.enrolled, null));
      if (!enrolled.success) return null;
      return { ...row, enrolled: enrolled.data, seed: cipher.decrypt(row.seed, SEED_OWNER) };
    },
    save({ enrolled, seed, ...link }: ChainPlaceOfHub & { seed: string }): void {
      save.run({ ...link, enrolled: JSON.stringify(enrolled), seed: cipher.encrypt(seed, SEED_OWNER) });
    },
    remove(at: number): void {
      remove.run();
      memory.write(ENROLMENT, null, at);
    },
    /** Returns the seed last used with this code, or null for another code. */
    enrolmentSeed(code: string): string | null {
      const stored = memory.read<StoredEnrolment | null>(ENROLMENT)?.value;
      return stored?.code === code ? cipher.decrypt(stored.seed, SEED_OWNER) : null;
    },
    keepEnrolment(code: string, seed: string, at: number): void {
      memory.write(ENROLMENT, { code, seed: cipher.encrypt(seed, SEED_OWNER) } satisfies StoredEnrolment, at);
    },
    /** Revision of the newest proposals document that was read. */
    desiredRev: (): number => desiredRev.get() ?? 0,
    saveDesiredRev: (rev: number): void => void saveDesiredRev.run(rev),
  };
}
