import type { UpdateChoice, UpdateProgress } from "@comanda/protocol";
import type { CheckOutcome } from "./check.ts";
import type { Offer } from "./guard-offer.ts";

/** The state of the update flow. It is not saved: 'Later' lasts until the next launch. */
export type FlowState =
  | { name: "checking" }
  | { name: "app" }
  | { name: "overlay"; offer: Offer; action: OverlayAction; problem: string | null; notice: string | null }
  | { name: "downloading"; offer: Offer; attempt: number; progress: UpdateProgress | null }
  | { name: "verifying"; offer: Offer; attempt: number }
  | { name: "installing"; offer: Offer }
  | { name: "fallback"; problem: string };

type OverlayAction = "install" | "open-download";

export type FlowPlatform = "web" | "android" | "desktop";

export type FlowEvent =
  | { type: "checked"; outcome: CheckOutcome }
  | { type: "chosen"; choice: UpdateChoice }
  | { type: "progressed"; progress: UpdateProgress }
  | { type: "transferred" }
  | { type: "verified" }
  /** `expired`: the address has expired; a repeated check may return a new one. */
  | { type: "download-failed"; problem: string; expired: boolean }
  | { type: "install-failed"; problem: string }
  /** The installer needs a person; `notice` says what to do. */
  | { type: "handed-over"; notice: string };

/** What to do next. Each effect is followed by events. */
export type FlowEffect =
  | { type: "check" }
  | { type: "download"; offer: Offer }
  | { type: "install"; offer: Offer }
  | { type: "open-download"; url: string };

export interface Step {
  state: FlowState;
  effects: FlowEffect[];
}

/** Downloads per press of 'Install Update': one, and another if the address had expired. */
const maxAttempts = 2;

/** Starts the flow. The web client has no updates and never checks. */
export function startFlow(platform: FlowPlatform): Step {
  return platform === "web"
    ? withoutEffects({ name: "app" })
    : { state: { name: "checking" }, effects: [{ type: "check" }] };
}

/** Applies an event to a state, as a pure function. An event that does not fit the state changes nothing. */
export function stepFlow(state: FlowState, event: FlowEvent, platform: FlowPlatform): Step {
  switch (event.type) {
    case "checked":
      return onChecked(state, event.outcome, platform);
    case "chosen":
      return onChosen(state, event.choice, platform);
    case "progressed":
      return withoutEffects(state.name === "downloading" ? { ...state, progress: event.progress } : state);
    case "transferred":
      return withoutEffects(
        state.name === "downloading" ? { name: "verifying", offer: state.offer, attempt: state.attempt } : state,
      );
    case "verified":
      if (state.name !== "verifying" && state.name !== "downloading") return withoutEffects(state);
      return { state: { name: "installing", offer: state.offer }, effects: [{ type: "install", offer: state.offer }] };
    case "download-failed":
      return onDownloadFailed(state, event.problem, event.expired);
    case "install-failed":
      return withoutEffects(state.name === "installing" ? overlay(state.offer, { problem: event.problem }) : state);
    case "handed-over":
      return withoutEffects(state.name === "installing" ? overlay(state.offer, { notice: event.notice }) : state);
  }
}

function onChecked(state: FlowState, outcome: CheckOutcome, platform: FlowPlatform): Step {
  // 'Install Update' starts with a check: addresses are valid for ten minutes, and the overlay may have been open for hours.
  if (state.name === "downloading") {
    if (outcome.kind === "up-to-date") return withoutEffects({ name: "app" });
    if (outcome.kind === "failed") return withoutEffects(overlay(state.offer, { problem: outcome.problem }));
    return { state: { ...state, offer: outcome.offer }, effects: [{ type: "download", offer: outcome.offer }] };
  }
  if (state.name !== "checking") return withoutEffects(state);
  if (outcome.kind === "up-to-date") return withoutEffects({ name: "app" });
  if (outcome.kind === "failed") return withoutEffects({ name: "fallback", problem: outcome.problem });
  return withoutEffects(overlay(outcome.offer, { action: platform === "android" ? "open-download" : "install" }));
}

function onChosen(state: FlowState, choice: UpdateChoice, platform: FlowPlatform): Step {
  if (state.name === "overlay" && choice === "install") {
    if (state.action === "open-download") return { state, effects: [{ type: "open-download", url: state.offer.url }] };
    return {
      state: { name: "downloading", offer: state.offer, attempt: 1, progress: null },
      effects: [{ type: "check" }],
    };
  }
  if (state.name === "overlay" && choice === "later") return withoutEffects({ name: "app" });
  if (state.name === "fallback" && choice === "continue-anyway") return withoutEffects({ name: "app" });
  const mayCheck = state.name === "app" || state.name === "fallback" || state.name === "overlay";
  if (choice === "try-again" && mayCheck && platform !== "web")
    return { state: { name: "checking" }, effects: [{ type: "check" }] };
  return withoutEffects(state);
}

function onDownloadFailed(state: FlowState, problem: string, expired: boolean): Step {
  if (state.name !== "downloading" && state.name !== "verifying") return withoutEffects(state);
  if (expired && state.attempt < maxAttempts) {
    const again = { name: "downloading" as const, offer: state.offer, attempt: state.attempt + 1, progress: null };
    return { state: again, effects: [{ type: "check" }] };
  }
  return withoutEffects(overlay(state.offer, { problem }));
}

function overlay(offer: Offer, why: { action?: OverlayAction; problem?: string; notice?: string } = {}): FlowState {
  const { action = "install", problem = null, notice = null } = why;
  return { name: "overlay", offer, action, problem, notice };
}

function withoutEffects(state: FlowState): Step {
  return { state, effects: [] };
}
