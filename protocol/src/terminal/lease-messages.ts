import { z } from "zod";
import { plainText, PosReference } from "../basics/fields.ts";
import { errorCode, requestId, signedBy } from "./envelope.ts";

const aboutOrder = { requestId, posReference: PosReference };

export const LeaseRole = z.enum(["editor", "checkout"]);
export type LeaseRole = z.infer<typeof LeaseRole>;

export const LeaseHolder = z.object({
  terminalId: z.string(),
  userName: z.string(),
  role: LeaseRole,
  expiresAt: z.string(),
});
export type LeaseHolder = z.infer<typeof LeaseHolder>;

export const Lease = LeaseHolder.extend({ posReference: PosReference, leaseId: z.string() });
export type Lease = z.infer<typeof Lease>;

export const LeaseAcquire = z.object({
  type: z.literal("LEASE_ACQUIRE"),
  ...aboutOrder,
  ...signedBy,
  role: LeaseRole.default("editor"),
  takeover: z.boolean().optional(),
});

export const LeaseRelease = z.object({
  type: z.literal("LEASE_RELEASE"),
  ...aboutOrder,
  leaseId: plainText(128).optional(),
});

export const LeaseGranted = z.object({
  type: z.literal("LEASE_GRANTED"),
  ...aboutOrder,
  leaseId: z.string(),
  role: LeaseRole,
  expiresAt: z.string(),
  ttlMs: z.int(),
});

export const LeaseDenied = z.object({
  type: z.literal("LEASE_DENIED"),
  ...aboutOrder,
  errorCode,
  error: z.string(),
  holder: LeaseHolder.nullable(),
});

export const LeaseReleased = z.object({ type: z.literal("LEASE_RELEASED"), ...aboutOrder });

export const LeaseRevoked = z.object({
  type: z.literal("LEASE_REVOKED"),
  posReference: PosReference,
  by: z.object({ terminalId: z.string(), userName: z.string() }),
});

export const LeaseChanged = z.object({
  type: z.literal("LEASE_CHANGED"),
  posReference: PosReference,
  holder: LeaseHolder.nullable(),
});
