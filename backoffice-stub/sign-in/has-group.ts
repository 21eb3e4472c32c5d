import { posManagerGroup, posUserGroup, refundGroup } from "@comanda/protocol";
import { z } from "zod";
import type { User } from "../stores/users.ts";

/** Up to Odoo 17, a method of the model: `["group"]`. From 18, a method of the record: `[[uid], "group"]`. */
const ModelArguments = z.tuple([z.string()]);
const RecordArguments = z.tuple([z.array(z.int()).length(1), z.string()]);

export interface GroupQuestion {
  /** null means the signed-in user. */
  uid: number | null;
  group: string;
}

/** Parses the arguments in the form of that server version (null accepts both). Returns null if they do not fit. */
export function readGroupQuestion(args: unknown, serverVersion: string | null): GroupQuestion | null {
  const major = serverVersion === null ? null : Number(serverVersion.split(".")[0]);
  const modelArguments = ModelArguments.safeParse(args);
  if (modelArguments.success && (major === null || major <= 17)) return { uid: null, group: modelArguments.data[0] };
  const recordArguments = RecordArguments.safeParse(args);
  if (recordArguments.success && (major === null || major >= 18)) {
    return { uid: recordArguments.data[0][0] ?? null, group: recordArguments.data[1] };
  }
  return null;
}

export function isInGroup(user: User, group: string): boolean {
  switch (group) {
    case "base.group_user":
    case posUserGroup:
      return true;
    case posManagerGroup:
      return user.role === "manager";
    case refundGroup:
      return user.permissions.includes("refund");
    default:
      return false;
  }
}
