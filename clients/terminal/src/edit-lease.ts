import { createEmitter, type Emitter } from "./emitter.ts";
import { RequestTimedOutError } from "./refusal.ts";
import { createSettlingLeases } from "./settling-leases.ts";
import type { ApprovedCommands, Terminal } from "./terminal-interface.ts";
import type { TerminalWorld } from "./world.ts";

/** A person who has touched nothing for so long has put the device down. */
const IDLE_MS = 20_000;
export type EditLeaseState =
  /** Nothing was edited here, or the hub is away: nobody is asked, and nothing is pretended. */
  | "none"
  | "asking"
  | "held"
  /** Another terminal has it: what is edited here waits for that, and the lease is asked for when it is free. */
  | "denied"
  /** The hub did not answer; the next edit asks again. */
  | "timed out";

export type EditLease = ReturnType<typeof createEditLease>;

type EditedTerminal = Pick<
  Terminal,
  "deviceId" | "on" | "connection" | "order" | "acquireLease" | "releaseLease" | "leaseHolder"
>;

/** Holds the lease of the check that a person edits on this terminal, one at a time, and lets it go again by itself. */
export function createEditLease(terminal: EditedTerminal, timers: TerminalWorld["timers"]) {
  const emitter: Emitter<{ changed: null }> = createEmitter();
  const left = new Set<string>();
  const settling = createSettlingLeases(terminal, timers);
  let current: string | null = null;
  let state: EditLeaseState = "none";
  /** The hub was asked for it, so that it may have to be released. */
  let wasAsked = false;
  let cancelIdle = () => {};

  terminal.on("leases", ({ posReference, holder }) => {
    if (posReference !== current) return;
    if (holder === null) return state === "denied" ? ask() : undefined;
    enter(holder.terminalId === terminal.deviceId ? "held" : "denied");
  });
  terminal.on("leaseLost", ({ posReference, by }) => {
    if (posReference === current) enter(by === null ? "none" : "denied");
  });
  terminal.on("connection", ({ name }) => {
    left.clear();
    if (name === "online") ask();
    else enter("none");
  });
  terminal.on("terminalLeft", ({ terminalId }) => {
    left.add(terminalId);
    changed();
  });
  terminal.on("terminalJoined", ({ terminalId }) => {
    if (left.delete(terminalId)) changed();
  });

  return {
    /** Something was edited here. It asks for the lease of that check unless it is held; nothing waits for the answer. */
    edited(posReference: string): void {
      begin(posReference);
      ask();
    },
    /** The person who edits is still there. */
    touched(): void {
      if (current !== null) awaitIdle();
    },
    done,
    /** Takes the lease from its holder, as `commands` may (a manager's, or approved by one). Rejects with TerminalRefusal. */
    async takeOver(posReference: string, commands: Pick<ApprovedCommands, "takeOver">): Promise<void> {
      begin(posReference);
      wasAsked = true;
      try {
        await commands.takeOver(posReference);
      } catch (error) {
        done(posReference);
        throw error;
      }
      granted(posReference);
    },
    /** How it stands with the check that is edited. */
    state: (): EditLeaseState => state,
    /** Whether a terminal was seen to leave: its leases end when its grace does. */
    hasLeft: (terminalId: string): boolean => left.has(terminalId),
    /** `state` or `hasLeft` answers something else now. */
    onChange: (listener: () => void): (() => void) => emitter.on("changed", listener),
  };

  function begin(posReference: string): void {
    if (posReference !== current) {
      done();
      current = posReference;
      // It was left a moment ago, and is still held.
      wasAsked = settling.has(posReference);
      settling.cancel(posReference);
    }
    awaitIdle();
  }

  function awaitIdle(): void {
    cancelIdle();
    cancelIdle = timers.after(IDLE_MS, done);
  }

  function ask(): void {
    if (current === null || state === "asking" || state === "held" || terminal.connection().name !== "online") return;
    const posReference = current;
    if (standing(posReference) === "denied") return enter("denied");
    wasAsked = true;
    enter("asking");
    terminal.acquireLease(posReference).then(
      () => granted(posReference),
      (error: unknown) => refused(posReference, error),
    );
  }

  function granted(posReference: string): void {
    // It may have been taken over since the hub answered.
    if (posReference === current) enter(standing(posReference));
    else if (!settling.has(posReference)) settling.release(posReference);
  }

  function refused(posReference: string, error: unknown): void {
    if (posReference !== current || state !== "asking") return;
    // Where it has become free meanwhile, or the hub refuses it for another reason, the next edit asks again.
    enter(error instanceof RequestTimedOutError ? "timed out" : standing(posReference));
  }

  function standing(posReference: string): "none" | "held" | "denied" {
    const holder = terminal.leaseHolder(posReference);
    if (holder === null) return "none";
    return holder.terminalId === terminal.deviceId ? "held" : "denied";
  }

  /**
   * What was added is sent, or the check (by default the one that is edited) was left: the lease ends as soon as the hub has
   * everything that was made under it.
   */
  function done(posReference = current ?? undefined): void {
    if (posReference === undefined || posReference !== current) return;
    cancelIdle();
    current = null;
    enter("none");
    if (wasAsked) settling.settle(posReference);
  }

  function enter(next: EditLeaseState): void {
    if (next === state) return;
    state = next;
    changed();
  }

  function changed(): void {
    emitter.emit("changed", null);
  }
}
