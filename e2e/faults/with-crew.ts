import { openCrew, type Crew } from "./crew.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import type { OpenPart, Round } from "./part.ts";
import type { Preload } from "./preload.ts";
import { reconcile } from "./reconcile.ts";
import { openWatchedTestBed, type TestBed } from "./test-bed.ts";

/** Terminals that work through one round, and the ledger of what was acknowledged to them. */
export interface CrewRound {
  crew: Crew;
  ledger: Ledger;
  /** Compares hub and back-office with the ledger; `scenario` describes the round. */
  reconcile(scenario: string): Promise<void>;
}

/** Opens a crew for a round and runs `work`; then calls `heal` and stops the crew, also after a failure. */
export async function withCrew(
  bed: TestBed,
  round: Round,
  { name, size, urlOf }: { name: string; size: number; urlOf?: (index: number) => string },
  work: (open: CrewRound) => Promise<void>,
  heal: () => unknown,
): Promise<void> {
  const { restaurant, tokens } = bed;
  const ledger = createLedger();
  const members = { name: `${name}${round.index}`, size, random: round.random, ledger };
  const crew = await openCrew({ restaurant, ...members, ...(urlOf === undefined ? {} : { urlOf }) });
  try {
    await work({
      crew,
      ledger,
      reconcile: (scenario) => reconcile({ restaurant, tokens, crew, ledger, round, scenario }),
    });
  } finally {
    await heal();
    await crew.stop();
  }
}

export type WatchedBed = TestBed & { preload: Preload };

/** Opens a part in which crews work on a hub with a preload; `heal` undoes what the round did to the hub. */
export async function openCrewPart(
  folder: string,
  crew: { name: string; size: number },
  work: (bed: WatchedBed, round: Round, open: CrewRound) => Promise<void>,
  heal: (preload: Preload) => void,
): Promise<OpenPart> {
  const bed = await openWatchedTestBed(folder);
  return {
    run: (round) =>
      withCrew(
        bed,
        round,
        crew,
        (open) => work(bed, round, open),
        () => heal(bed.preload),
      ),
    close: () => bed.restaurant.close(),
  };
}
