import { createHmac, timingSafeEqual } from "node:crypto";
import { Role } from "@comanda/protocol";
import { z } from "zod";
import type { Person } from "../people/person.ts";

/** Keeps the token within its 512 characters. */
const MAX_NAME = 60;

const Content = z.object({
  userId: z.int(),
  userName: z.string(),
  role: Role,
  permissions: z.array(z.string()),
  /** Distinguishes sessions of the same person. */
  of: z.string(),
});

/**
 * Returns the token of a person's practice session. It names the person and is signed with a secret that only this run of the
 * hub knows. It survives a reset, and no other back-office accepts it. `hubSession` is the real hub's session that it belongs
 * to, or "" for none.
 */
export function signPracticeSession(
  { userId, userName, role, permissions }: Person,
  secret: string,
  hubSession = "",
): string {
  const content: z.infer<typeof Content> = {
    userId,
    userName: userName.slice(0, MAX_NAME),
    role,
    // The only permission that exists (see PosIdentity).
    permissions: permissions.filter((each) => each === "refund"),
    of: signatureOf(hubSession, secret).slice(0, 16),
  };
  const text = Buffer.from(JSON.stringify(content)).toString("base64url");
  return `practice.${text}.${signatureOf(text, secret)}`;
}

/** Returns the person of a token, or null if it is not a session of this practice. */
export function readPracticeSession(token: string, secret: string): Person | null {
  const [kind, text = "", signature = ""] = token.split(".");
  const expected = Buffer.from(signatureOf(text, secret));
  const shown = Buffer.from(signature);
  if (kind !== "practice" || shown.length !== expected.length || !timingSafeEqual(shown, expected)) return null;
  const { of: _, ...person } = Content.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  return { ...person, login: null };
}

function signatureOf(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}
