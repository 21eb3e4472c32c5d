import { z } from "zod";
import { Deleted, route } from "../http/http-route.ts";
import { Role } from "../basics/fields.ts";
import { PracticeStatus } from "../practice.ts";
import { Lease } from "../terminal.ts";
import { Instant, listedPlace, UnsentWork } from "./common.ts";

/** A terminal known to the hub, connected or not. */
export const OperatorTerminal = z.object({
  terminalId: z.string(),
  user: z.object({ id: z.union([z.int(), z.string()]), name: z.string(), role: Role }).nullable(),
  /** A new terminal: no manager has signed in on it or confirmed it yet. */
  isNew: z.boolean(),
  /** `grace`: it has lost its connection and keeps its leases for a while. `away`: gone for longer. */
  state: z.enum(["connected", "grace", "away"]),
  /** Its user was identified from the hub's cache because the back-office could not be reached. */
  offlineIdentity: z.boolean(),
  /** It reads slower than the hub sends, so it gets deltas. */
  slow: z.boolean(),
  clientVersion: z.string().nullable(),
  protocolVersion: z.int().nullable(),
  address: z.string().nullable(),
  lastSeenAt: Instant,
  /** Round trip of the last ping in ms; if the answer is overdue, the waiting time so far. */
  pingMs: z.number().nullable(),
  /** The terminal's clock minus the hub's, ms. */
  clockOffsetMs: z.number().nullable(),
  /** Includes the check's place, if the terminal is on a check. */
  presence: z.object({ posReference: z.string().optional(), tableId: z.int().optional(), ...listedPlace }).nullable(),
  /** As last reported by the terminal itself. */
  outbox: UnsentWork.extend({ reportedAt: Instant }).nullable(),
  leases: z.array(z.string()),
});
export type OperatorTerminal = z.infer<typeof OperatorTerminal>;

const ListedLease = Lease.extend({ connected: z.boolean(), ...listedPlace });
export const LeaseList = z.object({ leases: z.array(ListedLease) });
export type LeaseList = z.infer<typeof LeaseList>;

/** GET /operator/v1/pairing: how terminals can reach this hub. */
export const Pairing = z.object({
  hubId: z.string(),
  name: z.string(),
  port: z.int(),
  addresses: z.array(
    z.object({
      /** For example `http://192.168.1.20:8766`. */
      url: z.string(),
      /** For example `ws://192.168.1.20:8766`, the format of the back-office's hub address. */
      wsUrl: z.string(),
      interface: z.string(),
      kind: z.enum(["lan", "virtual", "loopback"]),
    }),
  ),
  /** The hub listens only on the loopback interface (HUB_HOST), so it cannot be reached over the network. */
  localOnly: z.boolean(),
  /**
   * The `code` in the QR code for pairing, and when another device last opened it; null for readers without a manager's
   * session.
   */
  reach: z.object({ code: z.string(), reachedAt: Instant.nullable() }).nullable(),
  /** Whether the hub announces itself on the network. Only a device can tell whether it finds the hub there (`reach`). */
  discovery: z.object({ state: z.enum(["starting", "announced", "off", "failed"]) }),
});
export type Pairing = z.infer<typeof Pairing>;

export const terminalRoutes = {
  terminals: route("GET", "/operator/v1/terminals", "manager", {
    summary: "Lists every terminal known to the hub.",
    answer: z.object({ terminals: z.array(OperatorTerminal) }),
  }),
  disconnectTerminal: route("POST", "/operator/v1/terminals/:terminalId/disconnect", "manager", {
    summary: "Closes a terminal's connection. The terminal may reconnect automatically.",
    answer: z.object({ disconnected: z.literal(true) }),
  }),
  confirmTerminal: route("POST", "/operator/v1/terminals/:terminalId/confirm", "manager", {
    summary: "Confirms that a new terminal belongs to the restaurant.",
    answer: z.object({ confirmed: z.literal(true) }),
  }),
  forgetTerminal: route("DELETE", "/operator/v1/terminals/:terminalId", "manager", {
    summary: "Forgets a terminal: revokes its key and closes its connection. The next sign-in on it issues a new key.",
    answer: Deleted,
  }),
  leases: route("GET", "/operator/v1/leases", "manager", {
    summary: "Lists the leases on orders.",
    answer: LeaseList,
  }),
  releaseLease: route("DELETE", "/operator/v1/leases/:posReference", "manager", {
    summary: "Releases an order's lease and notifies its holder.",
    answer: z.object({ released: z.literal(true) }),
  }),
  practice: route("GET", "/operator/v1/practice", "manager", {
    summary: "Returns whether a practice is running: since when, who takes part and on how many devices.",
    answer: PracticeStatus,
  }),
  beginPractice: route("POST", "/operator/v1/practice", "manager", {
    summary: "Starts the practice if none is running.",
    answer: PracticeStatus,
    errors: ["UPSTREAM_UNAVAILABLE"],
  }),
  resetPractice: route("POST", "/operator/v1/practice/reset", "manager", {
    summary: "Resets the practice and deletes everything done in it.",
    answer: PracticeStatus,
    errors: ["UPSTREAM_UNAVAILABLE"],
  }),
  endPractice: route("DELETE", "/operator/v1/practice", "manager", {
    summary: "Ends the practice and disconnects everyone in it.",
    answer: PracticeStatus,
  }),
  pairing: route("GET", "/operator/v1/pairing", "public", {
    summary: "Returns how terminals find this hub, as announced by discovery.",
    answer: Pairing,
  }),
};
