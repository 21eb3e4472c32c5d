import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Since } from "@comanda/protocol";
import { createLedger, type Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import { readHub, type HubView } from "./read-hub.ts";
import { isForwarded } from "./reconcile.ts";
import { fill, type TestBed } from "./test-bed.ts";

/** A data folder as it lay on the disk at some moment, with what its hub had acknowledged. */
export interface Prepared {
  name: string;
  folder: string;
  /** The same folder earlier on. */
  older: string;
  ledger: Ledger;
  /** What an undamaged start shows. */
  golden: HubView;
  /** What the terminals had seen when the hub ended. */
  since: Since;
}

/** The same evening twice: ended by SIGKILL, with the last part of it in the WAL, and ended cleanly after that. */
export async function prepareFolders(bed: TestBed, to: string, random: Random, checks: number): Promise<Prepared[]> {
  const { restaurant, tokens, data } = bed;
  const ledger = createLedger();
  const copy = (name: string): string => {
    cpSync(data, join(to, name), { recursive: true });
    return join(to, name);
  };
  await fill(bed, { ledger, name: "early", checks: Math.ceil(checks / 2), random });
  await isForwarded(restaurant.hubUrl);
  await bed.acceptForwards(false);
  await bed.post("/operator/v1/backups", {});
  await restaurant.hub().stop();
  const older = copy("older");
  await restaurant.startHub();
  await fill(bed, { ledger, name: "late", checks: Math.floor(checks / 2), random });
  const atKill = await readHub(restaurant.hubUrl, tokens);
  await restaurant.killHub();
  const unclean = copy("unclean");
  await restaurant.startHub();
  const atStop = await readHub(restaurant.hubUrl, tokens);
  await restaurant.hub().stop();
  const clean = copy("clean");
  return [
    { name: "unclean", folder: unclean, older, ledger, golden: atKill, since: atKill.place },
    { name: "clean", folder: clean, older, ledger, golden: atStop, since: atStop.place },
  ];
}
