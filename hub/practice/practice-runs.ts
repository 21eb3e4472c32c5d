import { rm } from "node:fs/promises";
import path from "node:path";
import { PRACTICE_IDLE_MS, type Station } from "@comanda/protocol";
import type { PosState } from "../back-office/pos-state.ts";
import { makePrivateFolder } from "../db/files/private-files.ts";
import type { People } from "../people/people.ts";
import { HubError } from "../platform/errors.ts";
import { createTurns } from "../platform/turns.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import { copyRestaurant } from "./copy-restaurant.ts";
import type { PracticeInput } from "./practice-messages.ts";
import type { PracticePlaces } from "./practice-places.ts";
import type { PracticeSessions } from "./practice-sessions.ts";
import { endPracticeWorker, type PracticeWorker, startPracticeWorker } from "./practice-worker.ts";

/** How long a start waits for the first read of the back-office. */
const FIRST_READ_MS = 10_000;

interface Run extends PracticeWorker {
  startedAt: number;
  /** Names by user of the people who have entered; kept over a reset. */
  trainees: Map<number, string>;
}

/** The restaurant that a practice copies. */
export interface RestaurantDeps {
  world: World;
  config: HubConfig;
  stations(): readonly Station[];
  pos: Pick<PosState, "config" | "floors" | "refresh">;
  people: Pick<People, "list">;
}

/** Starts and ends the practice thread and its files: one at a time, and none that is unused. */
export function createPracticeRuns(
  deps: RestaurantDeps & {
    secret: string;
    sessions: Pick<PracticeSessions, "ended">;
    places: Pick<PracticePlaces, "closeAll">;
  },
) {
  const { world, config, stations, pos, people, secret, sessions, places } = deps;
  const folder = `${config.dbPath}.practice`;
  let run: Run | null = null;
  let isStopping = false;
  let idle: NodeJS.Timeout | undefined;
  /** Starts and ends run one after the other. */
  const inTurn = createTurns();

  function noteActivity(): void {
    world.timers.clearTimeout(idle);
    idle = world.timers.setTimeout(() => endInBackground("nobody has practised for a while"), PRACTICE_IDLE_MS);
  }

  function endInBackground(reason: string): void {
    inTurn(() => endRun(reason)).catch((error: unknown) => world.log.error({ err: error }, "the practice did not end"));
  }

  async function startRun(trainees = new Map<number, string>()): Promise<Run> {
    if (pos.config() === null) await withTimeout(world, FIRST_READ_MS, pos.refresh());
    const copy = copyRestaurant(config, stations(), pos);
    if (copy === null) throw new HubError("UPSTREAM_UNAVAILABLE", "no menu was read from the back-office yet");
    if (isStopping) throw new HubError("UPSTREAM_UNAVAILABLE", "the hub is going down");
    await removeFiles();
    makePrivateFolder(folder);
    const input: PracticeInput = {
      ...copy,
      env: { ...copy.env, HUB_DB_PATH: path.join(folder, "practice.sqlite") },
      people: people.list().map(({ person }) => person),
      secret,
      ended: sessions.ended(),
    };
    const started = await startPracticeWorker(world, input, {
      active: noteActivity,
      full: () => endInBackground("its file has grown too large"),
      exited(worker) {
        if (run?.worker === worker) endInBackground("its thread is gone");
      },
    });
    if (started === null) {
      await removeFiles();
      throw new HubError("UPSTREAM_UNAVAILABLE", "the practice could not be started; see the hub's log");
    }
    noteActivity();
    world.log.info("the practice has begun");
    return { ...started, startedAt: world.clock.now(), trainees };
  }

  async function endRun(reason: string): Promise<void> {
    world.timers.clearTimeout(idle);
    if (run === null) return;
    const { worker } = run;
    run = null;
    places.closeAll();
    await endPracticeWorker(world, worker);
    await removeFiles();
    world.log.info({ why: reason }, "the practice has ended");
  }

  /** Leftover files must not keep the hub from working. */
  async function removeFiles(): Promise<void> {
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      world.log.warn({ err: error, folder }, "the practice's files could not be removed"),
    );
  }

  return {
    current: (): Run | null => run,
    noteActivity,
    /** Starts a practice if there is none, and returns the result of `action`. */
    begin: <T>(action: () => T): Promise<T> =>
      inTurn(async () => {
        run ??= await startRun();
        return action();
      }),
    beginAgain: <T>(action: () => T): Promise<T> =>
      inTurn(async () => {
        const trainees = run?.trainees;
        await endRun("it is reset");
        run = await startRun(trainees);
        return action();
      }),
    end: <T>(reason: string, action: () => T): Promise<T> =>
      inTurn(async () => {
        await endRun(reason);
        return action();
      }),
    removeLeftovers: (): void => void inTurn(async () => (run === null ? removeFiles() : undefined)),
    async stop(): Promise<void> {
      isStopping = true;
      await inTurn(() => endRun("the hub stops"));
    },
  };
}
