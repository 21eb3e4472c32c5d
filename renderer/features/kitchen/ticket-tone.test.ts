import { expect, it } from "vitest";
import { ticketTone } from "./ticket-tone.ts";

const now = Date.parse("2026-11-21T20:00:00.000Z");
const sent = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

it("[UI-16] makes unseen and late tickets stand out", () => {
  expect(ticketTone({ state: "unseen", late: false, sentAt: sent(0.5) }, now)).toBe("idle");
  expect(ticketTone({ state: "unseen", late: false, sentAt: sent(2) }, now)).toBe("warn");
  expect(ticketTone({ state: "unseen", late: false, sentAt: sent(4) }, now)).toBe("bad");
  expect(ticketTone({ state: "seen", late: true, sentAt: sent(1) }, now)).toBe("warn");
  expect(ticketTone({ state: "started", late: false, sentAt: sent(21) }, now)).toBe("warn");
  expect(ticketTone({ state: "seen", late: false, sentAt: sent(5) }, now)).toBe("accent");
  expect(ticketTone({ state: "ready", late: true, sentAt: sent(60) }, now)).toBe("good");
});
