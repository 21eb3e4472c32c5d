import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Offer } from "./guard-offer.ts";
import { type FlowEvent, type FlowPlatform, type FlowState, startFlow, stepFlow } from "./update-flow.ts";

const offer: Offer = { version: "1.4.0", notes: "", publishedAt: "", url: "https://files.example/a", signature: "s" };
const renewed: Offer = { ...offer, url: "https://files.example/b" };
const progress = { transferredBytes: 1, totalBytes: 2, bytesPerSecond: 1 };

const checking: FlowState = { name: "checking" };
const app: FlowState = { name: "app" };
const overlay: FlowState = { name: "overlay", offer, action: "install", problem: null, notice: null };
const downloading: FlowState = { name: "downloading", offer, attempt: 1, progress: null };
const verifying: FlowState = { name: "verifying", offer, attempt: 1 };
const installing: FlowState = { name: "installing", offer };
const fallback: FlowState = { name: "fallback", problem: "down" };

const checked = (outcome: Extract<FlowEvent, { type: "checked" }>["outcome"]): FlowEvent => ({
  type: "checked",
  outcome,
});
const chosen = (choice: Extract<FlowEvent, { type: "chosen" }>["choice"]): FlowEvent => ({ type: "chosen", choice });
const failed = (expired: boolean): FlowEvent => ({ type: "download-failed", problem: "broken", expired });
const available = checked({ kind: "available", offer: renewed });
const problem = (text: string): FlowState => ({ ...overlay, problem: text });

/** State, event, next state, effects. The first rows are the table of the given contract. */
const table: [string, FlowState, FlowEvent, FlowState, object[]][] = [
  ["the same version: on to the app", checking, checked({ kind: "up-to-date" }), app, []],
  ["the check failed: fallback", checking, checked({ kind: "failed", problem: "down" }), fallback, []],
  ["a newer version: overlay", checking, checked({ kind: "available", offer }), overlay, []],
  ["'Install Update' repeats the check first", overlay, chosen("install"), downloading, [{ type: "check" }]],
  ["'Later': on to the app", overlay, chosen("later"), app, []],
  ["'Continue Anyway': on to the app", fallback, chosen("continue-anyway"), app, []],
  ["signature verified: install", verifying, { type: "verified" }, installing, [{ type: "install", offer }]],
  ["signature not verified: back to the overlay", verifying, failed(false), problem("broken"), []],
  // Cases that the contract leaves open.
  [
    "the repeated check gives a fresh address",
    downloading,
    available,
    { ...downloading, offer: renewed },
    [{ type: "download", offer: renewed }],
  ],
  ["the repeated check finds the release withdrawn", downloading, checked({ kind: "up-to-date" }), app, []],
  ["the repeated check fails", downloading, checked({ kind: "failed", problem: "down" }), problem("down"), []],
  ["progress", downloading, { type: "progressed", progress }, { ...downloading, progress }, []],
  ["all bytes are here", downloading, { type: "transferred" }, verifying, []],
  ["the download broke", downloading, failed(false), problem("broken"), []],
  [
    "the address was over: one repeated check",
    downloading,
    failed(true),
    { ...downloading, attempt: 2 },
    [{ type: "check" }],
  ],
  ["the address was over again", { ...downloading, attempt: 2 }, failed(true), problem("broken"), []],
  ["the installer did not start", installing, { type: "install-failed", problem: "no" }, problem("no"), []],
  [
    "the installer waits for a person",
    installing,
    { type: "handed-over", notice: "drag" },
    { ...overlay, notice: "drag" },
    [],
  ],
  ["a check by hand from the app", app, chosen("try-again"), checking, [{ type: "check" }]],
  ["'Try Again' on the fallback", fallback, chosen("try-again"), checking, [{ type: "check" }]],
  // These states can be neither dismissed nor started twice.
  ...[downloading, verifying, installing].flatMap((state) =>
    (["install", "later", "continue-anyway", "try-again"] as const).map(
      (choice): [string, FlowState, FlowEvent, FlowState, object[]] => [
        `'${choice}' while ${state.name} changes nothing`,
        state,
        chosen(choice),
        state,
        [],
      ],
    ),
  ),
  ["a late answer after 'Continue Anyway' changes nothing", app, available, app, []],
  ["late progress changes nothing", overlay, { type: "progressed", progress }, overlay, []],
];

describe("update flow", () => {
  it.each(table)("the update flow: %s [UPD-60]", (_title, state, event, next, effects) => {
    expect(stepFlow(state, event, "desktop")).toEqual({ state: next, effects });
  });

  it("the web client never checks for updates [UPD-61]", () => {
    expect(startFlow("web")).toEqual({ state: app, effects: [] });
    expect(stepFlow(app, chosen("try-again"), "web")).toEqual({ state: app, effects: [] });
  });

  it("an update on Android opens the browser, and the overlay stays [UPD-62]", () => {
    expect(startFlow("android").effects).toEqual([{ type: "check" }]);
    const shown = stepFlow(checking, checked({ kind: "available", offer }), "android").state;
    expect(shown).toEqual({ ...overlay, action: "open-download" });
    expect(stepFlow(shown, chosen("install"), "android")).toEqual({
      state: shown,
      effects: [{ type: "open-download", url: offer.url }],
    });
  });

  const anyEvent = fc.constantFrom<FlowEvent>(
    checked({ kind: "up-to-date" }),
    checked({ kind: "failed", problem: "down" }),
    available,
    ...(["install", "later", "continue-anyway", "try-again"] as const).map(chosen),
    { type: "progressed", progress },
    { type: "transferred" },
    { type: "verified" },
    failed(true),
    failed(false),
    { type: "install-failed", problem: "no" },
    { type: "handed-over", notice: "drag" },
  );
  const walk = (platform: FlowPlatform, events: FlowEvent[]) => {
    let step = startFlow(platform);
    const installs: string[] = [];
    for (const event of events) {
      step = stepFlow(step.state, event, platform);
      for (const effect of step.effects) if (effect.type === "install") installs.push(event.type);
    }
    return { state: step.state, installs };
  };

  it("an update is installed only after its signature was verified, in any sequence of events [UPD-63]", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) =>
        walk("desktop", events).installs.every((cause) => cause === "verified"),
      ),
    );
  });

  it("a person can always continue to the order screen after a download or check [UPD-64]", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const ends: FlowEvent[] = [
          failed(false),
          { type: "install-failed", problem: "no" },
          checked({ kind: "failed", problem: "down" }),
        ];
        const { state } = walk("desktop", [...events, ...ends]);
        expect(["overlay", "fallback", "app"]).toContain(state.name);
        expect(walk("desktop", [...events, ...ends, chosen("later"), chosen("continue-anyway")]).state).toEqual(app);
      }),
    );
  });
});
