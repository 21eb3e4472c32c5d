import type { OrderVersion, TimelineEntry, VersionKind } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { countSystems, buildStory, type WebhookAttempt } from "./timeline-story.ts";

const at = (minute: number) => `2026-11-22T20:${String(minute).padStart(2, "0")}:00.000Z`;

function version(number: number, kind: VersionKind, minute: number, more: Partial<OrderVersion> = {}): TimelineEntry {
  return {
    kind: "version",
    at: at(minute),
    version: {
      version: number,
      at: at(minute),
      kind,
      origin: "till",
      userName: "Ana",
      status: "open",
      total: 100,
      facts: [],
      ...more,
    },
  };
}

const sent = (ticketId: string, stationName: string, quantity: number, minute: number): TimelineEntry => ({
  kind: "ticket_sent",
  at: at(minute),
  ticketId,
  by: "Ana",
  stationName,
  items: 1,
  quantity,
  late: false,
});

const attempt = (number: number, outcome: "finalized" | "failed" | "set_aside", minute: number): TimelineEntry => ({
  kind: "forward",
  at: at(minute),
  attempt: number,
  outcome,
  error: outcome === "finalized" ? null : { words: "no account" },
  errorCode: null,
});

const webhook = (deliveryId: number, host: string, number: number, status: number | null): WebhookAttempt => ({
  kind: "webhook",
  at: at(number),
  deliveryId,
  url: `https://${host}/hook`,
  event: "order.updated",
  attempt: number,
  status,
  error: null,
  durationMs: 5,
});

const kinds = (entries: TimelineEntry[]) =>
  buildStory(entries).items.map((item) => (item.kind === "entry" ? item.entry.kind : item.kind));

describe("history of an order", () => {
  it("a send and the tickets of its stations are one item [UI-211]", () => {
    const { items } = buildStory([
      version(1, "created", 0),
      version(2, "sent", 1),
      sent("a", "Cocina", 3, 1),
      sent("b", "Bar", 2, 1),
      version(3, "sent", 2),
      sent("c", "Bar", 1, 2),
    ]);
    expect(items).toMatchObject([
      { kind: "entry", step: "opened" },
      { kind: "sent", step: "kitchen", version: { version: 2 }, tickets: [{ ticketId: "b" }, { ticketId: "a" }] },
      { kind: "sent", version: { version: 3 }, tickets: [{ ticketId: "c" }] },
    ]);
  });

  it("tickets whose send is no longer among the versions are one item [UI-211]", () => {
    expect(kinds([sent("a", "Cocina", 3, 1), sent("b", "Bar", 2, 1)])).toEqual(["sent"]);
  });

  it("an event with two records in one write is shown once, by the record with more details [UI-210]", () => {
    const ticketSeen: TimelineEntry = {
      kind: "ticket_seen",
      at: at(2),
      ticketId: "a",
      stationId: "s",
      stationName: "Cocina",
    };
    const payment: TimelineEntry = {
      kind: "payment",
      at: at(3),
      by: "Ana",
      amount: 10,
      methodId: "1",
      tendered: null,
      change: null,
      tip: null,
      terminalId: "till",
    };
    expect(kinds([version(2, "seen", 2), ticketSeen])).toEqual(["ticket_seen"]);
    expect(kinds([version(2, "seen", 1), ticketSeen])).toEqual(["version", "ticket_seen"]);
    expect(kinds([version(3, "tendered", 3), payment])).toEqual(["payment"]);
    const approved = version(3, "tendered", 3, { approvedBy: "Rosa" });
    expect(kinds([approved, payment])).toEqual(["version", "payment"]);
    const aside: TimelineEntry = {
      kind: "operator",
      at: at(4),
      action: "forward.set_aside",
      userName: "Rosa",
      note: { words: "later" },
    };
    expect(kinds([attempt(1, "set_aside", 4), aside])).toEqual(["operator"]);
  });

  it("consecutive failed attempts are folded until a decision or a success [UI-212]", () => {
    const retried: TimelineEntry = { kind: "operator", at: at(4), action: "forward.retry", userName: "R", note: null };
    const { items } = buildStory([
      version(4, "paid", 0),
      attempt(1, "failed", 1),
      version(5, "bumped", 2),
      attempt(2, "failed", 3),
      retried,
      attempt(3, "failed", 5),
      attempt(4, "finalized", 6),
      version(6, "closed", 6),
    ]);
    expect(items.map(({ kind, at: moment }) => [kind, moment])).toEqual([
      ["entry", at(0)],
      ["entry", at(2)],
      ["not_forwarded", at(3)],
      ["entry", at(4)],
      ["not_forwarded", at(5)],
      ["forwarded", at(6)],
    ]);
    expect(items[2]).toMatchObject({ attempts: [{ attempt: 1 }, { attempt: 2 }] });
    expect(items[5]).toMatchObject({ attempt: { attempt: 4 }, version: { kind: "closed" } });
  });

  it("webhooks are counted by notified systems, and by those that did not get the latest delivery [UI-212]", () => {
    const attempts = [
      webhook(1, "a.example", 1, 500),
      webhook(1, "a.example", 2, 200),
      webhook(2, "b.example", 1, 200),
      webhook(3, "b.example", 1, null),
      webhook(4, "b.example", 1, 404),
    ];
    expect(countSystems(attempts)).toEqual({ systems: 2, failed: 1 });
    const { items, webhooks } = buildStory(attempts);
    expect({ items, webhooks }).toEqual({ items: [], webhooks: attempts });
  });
});
