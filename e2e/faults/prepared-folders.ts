import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Since } from "@comanda/protocol";
import { createLedger, type Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import { readHub, type HubView } from "./read-hub.ts";
import { isForwarded } from "./reconcile.ts";
import { fill, type TestBed } from "./test-bed.ts";

/** A copy of a data folder at some moment, with everything that its hub had acknowledged. */
export interface Prepared {
  name: string;
  folder: string;
  /** An earlier copy of the folder. */
  older: string;
  ledger: Ledger;
  /** The hub's view after an undamaged start. */
  golden: HubView;
  /** The terminals' position when the hub ended. */
  since: Since;
}

/** Prepares two folders of one evening: after SIGKILL, with its last part in the WAL, and after a clean stop that followed. */
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
