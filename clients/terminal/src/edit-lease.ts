import { createEmitter, type Emitter } from "./emitter.ts";
import { RequestTimedOutError } from "./refusal.ts";
import { createSettlingLeases } from "./settling-leases.ts";
import type { ApprovedCommands, Terminal } from "./terminal-interface.ts";
import type { TerminalWorld } from "./world.ts";

/** After this time without a touch, the device counts as put down. */
const IDLE_MS = 20_000;
export type EditLeaseState =
  /** Nothing is being edited here, the hub is away, or the lease was not obtained. */
  | "none"
  | "asking"
  | "held"
  /** Another terminal holds the lease. Edits here wait, and the lease is requested again when it is free. */
  | "denied"
  /** The hub did not answer; the next edit requests the lease again. */
  | "timed out";

export type EditLease = ReturnType<typeof createEditLease>;

type EditedTerminal = Pick<
  Terminal,
  "deviceId" | "on" | "connection" | "order" | "acquireLease" | "releaseLease" | "leaseHolder"
>;

/** Holds the lease of the check that a person is editing, one check at a time, and releases it by itself. */
export function createEditLease(terminal: EditedTerminal, timers: TerminalWorld["timers"]) {
  const emitter: Emitter<{ changed: null }> = createEmitter();
  const disconnected = new Set<string>();
  const settling = createSettlingLeases(terminal, timers);
  let current: string | null = null;
  let state: EditLeaseState = "none";
  /** The lease was requested from the hub and may have to be released. */
  let wasRequested = false;
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
    disconnected.clear();
    if (name === "online") ask();
    else enter("none");
  });
  terminal.on("terminalLeft", ({ terminalId }) => {
    disconnected.add(terminalId);
    changed();
  });
  terminal.on("terminalJoined", ({ terminalId }) => {
    if (disconnected.delete(terminalId)) changed();
  });

  return {
    /** Notes an edit. Requests the lease of the check if it is not held, without waiting for the answer. */
    edited(posReference: string): void {
      begin(posReference);
      ask();
    },
    /** Restarts the idle timeout. */
    touched(): void {
      if (current !== null) awaitIdle();
    },
    done,
    /** Takes the lease from its holder with the rights of `commands` (a manager's). Rejects with TerminalRefusal. */
    async takeOver(posReference: string, commands: Pick<ApprovedCommands, "takeOver">): Promise<void> {
      begin(posReference);
      wasRequested = true;
      try {
        await commands.takeOver(posReference);
      } catch (error) {
        done(posReference);
        throw error;
      }
      granted(posReference);
    },
    /** Lease state of the check that is being edited. */
    state: (): EditLeaseState => state,
    /** Whether the terminal is known to have left. Its leases expire after its grace period. */
    hasLeft: (terminalId: string): boolean => disconnected.has(terminalId),
    /** Fires when the result of `state` or `hasLeft` may have changed. */
    onChange: (listener: () => void): (() => void) => emitter.on("changed", listener),
  };

  function begin(posReference: string): void {
    if (posReference !== current) {
      done();
      current = posReference;
      // The check was left a moment ago, and its lease is not released yet.
      wasRequested = settling.has(posReference);
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
    wasRequested = true;
    enter("asking");
    terminal.acquireLease(posReference).then(
      () => granted(posReference),
      (error: unknown) => refused(posReference, error),
    );
  }

  function granted(posReference: string): void {
    if (posReference === current) {
      // Another terminal may have taken it over since the hub answered, which has been noted.
      if (state === "asking") enter(standing(posReference));
    } else if (!settling.has(posReference)) settling.release(posReference);
  }

  function refused(posReference: string, error: unknown): void {
    if (posReference !== current || state !== "asking") return;
    // If the lease is free again or was refused for another reason, the next edit requests it again.
    enter(error instanceof RequestTimedOutError ? "timed out" : standing(posReference));
  }

  function standing(posReference: string): "none" | "held" | "denied" {
    const holder = terminal.leaseHolder(posReference);
    if (holder === null) return "none";
    return holder.terminalId === terminal.deviceId ? "held" : "denied";
  }

  /**
   * Ends the editing of a check, by default the current one. The lease is released once the hub has all changes made under it.
   */
  function done(posReference = current ?? undefined): void {
    if (posReference === undefined || posReference !== current) return;
    cancelIdle();
    current = null;
    enter("none");
    if (wasRequested) settling.settle(posReference);
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
