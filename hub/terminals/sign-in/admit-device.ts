import { CloseCode } from "@comanda/protocol";
import type { Identity } from "../../back-office/session-calls.ts";
import { digestOf, matchesDigest } from "../../keys/key-token.ts";
import { AuthRefused } from "./auth-refused.ts";
import type { TerminalDeps } from "../terminal-deps.ts";
import type { ActiveTerminal } from "../sessions/terminal-session.ts";
import { outboxColumns, type StoredTerminal, type TerminalFacts } from "../terminal-store.ts";

const KEY_BYTES = 32;

/** What a device gets at a sign-in. */
interface Admission {
  /** The device's new key, or null if it keeps its current key. */
  deviceKey: string | null;
  /** The token with which the user's mutations name their actor. */
  actorToken: string | null;
  /** The name under which the hub knew the device, or null if the name has not changed. */
  formerName: string | null;
}

type AdmissionDeps = Pick<TerminalDeps, "world" | "changes" | "sync" | "terminalStore" | "people" | "noteRenamed">;

interface Applicant {
  active: ActiveTerminal;
  address: string;
  shownKey: string | undefined;
  /** Whether the device has another name than when it got its key. */
  isRenamed: boolean;
  /** The user of the current connection under this name. */
  present: Identity | null;
  isConnected: (terminalId: string) => boolean;
}

/**
 * Decides whether a terminal may use a device name, and stores who works there. Resolves once that is stored. Throws
 * AuthRefused. Callers run it for one applicant per device at a time.
 */
export async function admitDevice(deps: AdmissionDeps, applicant: Applicant): Promise<Admission> {
  const { world, changes, terminalStore, people } = deps;
  const { active, address } = applicant;
  const now = world.clock.now();
  const { hubId } = deps.sync.identity();
  const stored = terminalStore.get(active.terminalId);
  const formerName = formerNameOf(applicant, terminalStore);
  if (formerName !== null && stored !== null) throw deviceTaken(active.terminalId, formerName, hubId);
  const isKeyNeeded = formerName === null && needsKey(applicant, stored, hubId);
  const isManager = active.identity.role === "manager";
  const key = isKeyNeeded ? world.random.bytes(KEY_BYTES).toString("base64url") : null;
  const facts = factsOf(active, address, now);
  try {
    return await changes.write((tx) => {
      if (formerName !== null) {
        const names = { from: formerName, to: active.terminalId };
        terminalStore.rename(names.from, names.to);
        people.renameDevice(names.from, names.to);
        deps.noteRenamed(tx, names, active.identity.userName);
      } else if (stored === null) terminalStore.makeRoom(applicant.isConnected);
      terminalStore.signIn(facts, {
        keyDigest: key === null ? null : digestOf(key),
        // With another key it may be another device, even under the same name.
        isConfirmed: isManager || (stored?.keyDigest != null && key !== null ? false : null),
      });
      return {
        deviceKey: key,
        actorToken: people.giveToken(active.identity, active.terminalId, key !== null),
        formerName,
      };
    });
  } catch (error) {
    // A full disk must not lock anyone out. A new key that was not stored is not sent, so the current one stays valid.
    world.log.error({ err: error, terminalId: active.terminalId }, "a terminal could not be remembered");
    return { deviceKey: null, actorToken: null, formerName: null };
  }
}

/** Returns the name under which the hub knows a renamed device: its key proves which device it is. */
function formerNameOf(
  { active, shownKey, isRenamed }: Applicant,
  terminalStore: AdmissionDeps["terminalStore"],
): string | null {
  const name = isRenamed && shownKey !== undefined ? terminalStore.deviceOf(shownKey) : null;
  return name === active.terminalId ? null : name;
}

function deviceTaken(name: string, formerName: string, hubId: string): AuthRefused {
  const message = `another device has the name ${name}: choose an unused name for this device, ${formerName}`;
  return new AuthRefused("DEVICE_TAKEN", CloseCode.forbidden, message, { hubId });
}

/** Returns whether the device gets a new key. Throws AuthRefused if the device belongs to another user. */
function needsKey({ active, shownKey, present }: Applicant, stored: StoredTerminal | null, hubId: string) {
  const { terminalId, identity } = active;
  const keyDigest = stored?.keyDigest ?? null;
  if (keyDigest !== null && shownKey !== undefined && matchesDigest(shownKey, keyDigest)) return false;
  const lastUserId = present?.userId ?? stored?.userId ?? null;
  if (lastUserId === null || identity.role === "manager" || identity.userId === lastUserId) return true;
  const lastUser = present?.userName ?? stored?.userName ?? "somebody else";
  throw new AuthRefused(
    "DEVICE_TAKEN",
    CloseCode.forbidden,
    `${terminalId} is ${lastUser}'s terminal: ${lastUser} or a manager has to sign in here, or a manager forgets the terminal on the hub's Terminals screen`,
    { hubId },
  );
}

/** Returns what the hub stores about a connected terminal. */
export function factsOf(active: ActiveTerminal, address: string, now: number): TerminalFacts {
  const { terminalId, identity, clientVersion, protocolVersion, clock, outbox, outboxEmptyAt } = active;
  return {
    terminalId,
    userId: identity.userId,
    userName: identity.userName,
    role: identity.role,
    clientVersion,
    protocolVersion,
    address,
    lastSeenAt: now,
    clockOffsetMs: clock.offsetMs(),
    outboxEmptyAt,
    ...outboxColumns(outbox),
  };
}
