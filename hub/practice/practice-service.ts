import { rm } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { PRACTICE_IDLE_MS, type PracticeStatus, type Station } from "@comanda/protocol";
import type { PosState } from "../back-office/pos-state.ts";
import { makePrivateFolder } from "../db/files/private-files.ts";
import type { People } from "../people/people.ts";
import type { Person } from "../people/person.ts";
import { HubError } from "../platform/errors.ts";
import { practiceThreadFile } from "../platform/paths.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { isoTime, type World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import { copyHouse } from "./copy-house.ts";
import type { PracticeEvent, PracticeInput, PracticeOrder } from "./practice-messages.ts";
import { createPracticePlaces } from "./practice-places.ts";
import { signPracticeSession } from "./practice-session.ts";

/** A practice that needs more ends alone, not with the hub. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
/** How long it waits for a back-office that was never read. */
const FIRST_READ_MS = 10_000;
const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 3_000;
/** Each time a thread is started. */
const RESET_EVERY_MS = 60_000;

interface Run {
  worker: Worker;
  port: number;
  startedAt: number;
}

export type PracticeService = ReturnType<typeof createPracticeService>;

/**
 * The practice of this restaurant: a second hub in a thread of its own, on a file of its own, with a back-office that
 * is none. It knows the restaurant's menu, plan, stations and people; nothing of it comes back. It begins when somebody
 * asks for it and ends when nothing has been done for a while. There is one at a time, and what was done in it is never
 * kept.
 */
export function createPracticeService(deps: {
  world: World;
  config: HubConfig;
  stations(): readonly Station[];
  pos: Pick<PosState, "config" | "floors" | "refresh">;
  people: Pick<People, "list">;
}) {
  const { world, config, stations, pos, people } = deps;
  const folder = `${config.dbPath}.practice`;
  const secret = world.random.bytes(32).toString("base64url");
  const trainees = new Map<number, string>();
  const places = createPracticePlaces(world.clock.monotonic);
  /** The sessions given here, with the real hub's session that each belongs to. */
  const sessions = new Map<string, string>();
  const ended = new Set<string>();
  let run: Run | null = null;
  let isStopping = false;
  let resetAt = -Infinity;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** Beginnings and ends come one after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const running = last.then(work, work);
    last = running.catch(() => {});
    return running;
  }

  function noteActivity(): void {
    world.timers.clearTimeout(idle);
    idle = world.timers.setTimeout(() => endInBackground("nobody has practised for a while"), PRACTICE_IDLE_MS);
  }

  function endInBackground(why: string): void {
    inTurn(() => endRun(why)).catch((error: unknown) => world.log.error({ err: error }, "the practice did not end"));
  }

  async function startRun(): Promise<Run> {
    if (pos.config() === null) await withTimeout(world, FIRST_READ_MS, pos.refresh());
    const copy = copyHouse(config, stations(), pos);
    if (copy === null)
      throw new HubError("UPSTREAM_UNAVAILABLE", "the back-office was never read: there is no menu yet");
    if (isStopping) throw new HubError("UPSTREAM_UNAVAILABLE", "the hub is going down");
    await removeFiles();
    makePrivateFolder(folder);
    const input: PracticeInput = {
      ...copy,
      env: { ...copy.env, HUB_DB_PATH: path.join(folder, "practice.sqlite") },
      people: people.list().map(({ person }) => person),
      secret,
      ended: [...ended],
    };
    const worker = new Worker(practiceThreadFile, { workerData: input, resourceLimits: MEMORY });
    // A hub that ends does not wait for it; one that stops does.
    worker.unref();
    const { promise: ready, resolve, reject } = Promise.withResolvers<number>();
    worker.on("message", (event: PracticeEvent) => {
      if (event.type === "ready") resolve(event.port);
      else if (event.type === "active") noteActivity();
      else endInBackground("its file has grown too large");
    });
    worker.on("error", (error) => {
      world.log.error({ err: error }, "the practice failed");
      reject(error);
    });
    worker.on("exit", () => {
      reject(new Error("the practice has ended"));
      if (run?.worker === worker) endInBackground("its thread is gone");
    });
    if (!(await withTimeout(world, START_WITHIN_MS, ready))) {
      await endThread(worker);
      await removeFiles();
      throw new HubError("UPSTREAM_UNAVAILABLE", "the practice could not be started; see the hub's log");
    }
    noteActivity();
    world.log.info("the practice has begun");
    return { worker, port: await ready, startedAt: world.clock.now() };
  }

  async function endRun(why: string): Promise<void> {
    world.timers.clearTimeout(idle);
    if (run === null) return;
    const { worker } = run;
    run = null;
    places.closeAll();
    await endThread(worker);
    await removeFiles();
    world.log.info({ why }, "the practice has ended");
  }

  async function endThread(worker: Worker): Promise<void> {
    if (worker.threadId === -1) return;
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    worker.postMessage({ type: "stop" } satisfies PracticeOrder);
    const hasEnded = await withTimeout(world, STOP_WITHIN_MS, ended);
    if (!hasEnded) await worker.terminate();
  }

  /** What is left of a practice must not keep the hub from working. */
  async function removeFiles(): Promise<void> {
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      world.log.warn({ err: error, folder }, "the practice's files could not be removed"),
    );
  }

  /** Signs a session out at the practice hub, which closes its connections. One that does not run has none. */
  function signOut(port: number, session: string): void {
    const headers = { authorization: `Bearer ${session}` };
    const call = request({ host: "127.0.0.1", port, method: "POST", path: "/terminal/v1/sign-out", headers });
    call.on("response", (answer) => answer.resume());
    call.on("error", (error) => world.log.warn({ err: error }, "a session of the practice could not be signed out"));
    call.end();
  }

  function status(): PracticeStatus {
    if (run === null) return { since: null, people: [], devices: 0 };
    return { since: isoTime(run.startedAt), people: [...trainees.values()], devices: places.count() };
  }

  return {
    status,

    /**
     * Lets somebody in with their session of the real hub, and begins the practice if there is none. Refuses with
     * UPSTREAM_UNAVAILABLE.
     */
    enter: (person: Person & { token: string }): Promise<string> =>
      inTurn(async () => {
        run ??= await startRun();
        trainees.set(person.userId, person.userName);
        noteActivity();
        const session = signPracticeSession(person, secret, person.token);
        sessions.set(session, person.token);
        return session;
      }),

    /** Ends what belongs to a session of the real hub that was signed out, with its connections. */
    endSignedOut(isOfSession: (token: string) => boolean): void {
      for (const [session, token] of sessions) {
        if (!isOfSession(token)) continue;
        sessions.delete(session);
        ended.add(session);
        if (run !== null) signOut(run.port, session);
      }
    },

    /** Begins it, if there is none. Refuses with UPSTREAM_UNAVAILABLE. */
    begin: (): Promise<PracticeStatus> =>
      inTurn(async () => {
        run ??= await startRun();
        return status();
      }),

    /** Begins again, once a minute at most: what was done is gone, and everybody continues in an empty restaurant. */
    async reset(): Promise<PracticeStatus> {
      const now = world.clock.monotonic();
      if (now - resetAt < RESET_EVERY_MS) {
        throw new HubError(
          "RATE_LIMITED",
          "the practice was reset less than a minute ago; everybody is in the new one",
        );
      }
      resetAt = now;
      return inTurn(async () => {
        await endRun("it is reset");
        run = await startRun();
        return status();
      });
    },

    end: (): Promise<PracticeStatus> =>
      inTurn(async () => {
        await endRun("a manager ended it");
        trainees.clear();
        return status();
      }),

    /** Where its hub listens on this machine; null while there is none. */
    port: (): number | null => run?.port ?? null,
    makePlace: places.makePlace,
    hold: places.hold,

    /** Removes what a hub that was killed has left. */
    start: (): void => void inTurn(async () => (run === null ? removeFiles() : undefined)),

    async stop(): Promise<void> {
      isStopping = true;
      await inTurn(() => endRun("the hub stops"));
    },
  };
}
