import { createHash } from "node:crypto";
import type { Db } from "../db/open.ts";
import type { World } from "../world.ts";
import { findUser, type User } from "./users.ts";

export const maxInactivitySeconds = 604_800;
const noteSeenEveryMs = 60 * 60 * 1000;

/** The users' sessions, stored in the file so that they survive a restart. They expire after 7 days without use. */
export function createUserSessions(db: Db, world: World) {
  const insert = db.prepare("INSERT INTO user_session (digest, user_id, last_seen_at) VALUES (?, ?, ?)");
  const select = db.prepare<[string], { userId: number; lastSeenAt: number }>(
    "SELECT user_id AS userId, last_seen_at AS lastSeenAt FROM user_session WHERE digest = ?",
  );
  const touch = db.prepare("UPDATE user_session SET last_seen_at = ? WHERE digest = ?");
  const remove = db.prepare("DELETE FROM user_session WHERE digest = ?");
  const removeAll = db.prepare("DELETE FROM user_session");

  return {
    /** Returns a new session id for the user. */
    open(user: User): string {
      const sessionId = world.newSessionId();
      insert.run(digestOf(sessionId), user.id, world.now());
      return sessionId;
    },

    /** Returns the user of a live session, or null. */
    findUser(sessionId: string): User | null {
      const digest = digestOf(sessionId);
      const row = select.get(digest);
      if (row === undefined) return null;
      const unusedMs = world.now() - row.lastSeenAt;
      if (unusedMs > maxInactivitySeconds * 1000) return null;
      if (unusedMs > noteSeenEveryMs) touch.run(world.now(), digest);
      return findUser(row.userId);
    },

    end(sessionId: string): void {
      remove.run(digestOf(sessionId));
    },

    /** Returns the number of ended sessions. */
    endAll: (): number => removeAll.run().changes,
  };
}

function digestOf(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex");
}
