import type { AuditAction, Sentence } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import { HubError } from "../platform/errors.ts";
import type { Person } from "./person.ts";
import type { PersonStore } from "./person-store.ts";
import { matchesPin } from "./pin-digest.ts";
import type { PinAttempt, PinLock, PinLocks } from "./pin-locks.ts";

/** Result of a right PIN: a token to act with, until `expiresAt` (ms since 1970). */
export interface IssuedActor {
  token: string;
  person: Person;
  expiresAt: number;
}

/** The audit log, which records who set a PIN and who was locked out, in the same transaction. */
export interface PinAudit {
  record(tx: Tx, userName: string, action: AuditAction, target: string, note?: Sentence): void;
}

export type PinChecker = ReturnType<typeof createPinChecker>;

/** Compares PINs, counts misses, and notifies managers of lockouts. */
export function createPinChecker(deps: { changes: ChangeLog; audit: PinAudit; store: PersonStore; locks: PinLocks }) {
  const { changes, audit, store, locks } = deps;

  /**
   * Runs `issue` for a right PIN, in the transaction that clears the misses. For a person whom `admits` rejects, a right PIN
   * counts as wrong. Throws UNAUTHENTICATED for a wrong PIN, and RATE_LIMITED after too many.
   */
  return async function checkPin<T>(
    attempt: PinAttempt,
    pin: string,
    issue: (tx: Tx, person: Person) => T,
    admits: (person: Person) => boolean = () => true,
  ): Promise<T> {
    const stored = store.pin(attempt.userId);
    if (stored === null) throw new HubError("UNAUTHENTICATED", "userId: this person has no PIN at this hub");
    const isRight = await locks.attempt(attempt, () => matchesPin(pin, stored));
    const accepted = await changes.write((tx): { actor: T } | null => {
      const person = store.get(attempt.userId);
      // The PIN may have been reset during the comparison.
      const isPresent = store.pin(attempt.userId)?.digest.equals(stored.digest) === true;
      if (isRight && isPresent && person !== null && admits(person)) {
        locks.clear(attempt);
        return { actor: issue(tx, person) };
      }
      for (const lock of locks.noteMiss(attempt)) report(tx, lock, attempt);
      return null;
    });
    if (accepted === null) throw new HubError("UNAUTHENTICATED", "pin: is not this person's PIN");
    return accepted.actor;
  };

  function report(tx: Tx, lock: PinLock, { userId, deviceId, peer, senderId }: PinAttempt): void {
    const { kind, action, personId, target } = noticeOf(lock, { userId, deviceId, senderId });
    const userName = store.get(personId)?.userName ?? String(personId);
    const isDevice = senderId !== null;
    audit.record(tx, userName, action, target, { ...(isDevice && { about: deviceId }), words: peer });
    tx.notify(["people"], {
      kind,
      level: "warn",
      detail: { userName, ...(isDevice && { terminalId: deviceId }), text: peer },
    });
  }
}

function noticeOf(lock: PinLock, { userId, deviceId, senderId }: Omit<PinAttempt, "peer">) {
  const subject = { personId: userId, target: String(userId) };
  switch (lock) {
    case "device":
      return { kind: "pin_locked", action: "person.pin_locked", ...subject } as const;
    case "person":
      return { kind: "password_only", action: "person.password_only", ...subject } as const;
    case "sender":
      return {
        kind: "pins_refused",
        action: "terminal.pins_refused",
        personId: senderId ?? userId,
        target: deviceId,
      } as const;
  }
}
