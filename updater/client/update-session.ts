import type { UpdateChoice, UpdateProgress, UpdateState } from "@comanda/protocol";
import type { CheckOutcome } from "./check.ts";
import type { Offer } from "./guard-offer.ts";
import { presentUpdate } from "./present-update.ts";
import { describeProblem } from "./redact-addresses.ts";
import {
  type FlowEffect,
  type FlowEvent,
  type FlowPlatform,
  type FlowState,
  type Step,
  startFlow,
  stepFlow,
} from "./update-flow.ts";
import { AddressExpired } from "./update-refused.ts";

export interface DownloadHooks {
  onProgress(progress: UpdateProgress): void;
  /** Called when the download is complete; the signature is checked next. */
  onTransferred(): void;
}

export interface SessionDeps {
  platform: FlowPlatform;
  check(): Promise<CheckOutcome>;
  /** Resolves once the file is downloaded and its signature verified. */
  download(offer: Offer, hooks: DownloadHooks): Promise<void>;
  /** Starts the installer. Resolves to what a person still has to do, or null if the app ends by itself. */
  install(): Promise<string | null>;
  openInBrowser(url: string): Promise<void>;
  onState(state: UpdateState): void;
  /** Called for every step, for the log. The texts contain no addresses. */
  onEvent?(event: FlowEvent["type"], problem: string | undefined): void;
}

export type UpdateSession = ReturnType<typeof startUpdateSession>;

/** Runs the update flow from launch: feeds it events and executes its effects. */
export function startUpdateSession(deps: SessionDeps) {
  const running = new Set<Promise<void>>();
  let state: FlowState = { name: "checking" };

  function apply(step: Step): void {
    state = step.state;
    deps.onState(presentUpdate(state));
    for (const effect of step.effects) {
      const work = execute(effect).finally(() => running.delete(work));
      running.add(work);
    }
  }

  function dispatch(event: FlowEvent): void {
    if (event.type !== "progressed") deps.onEvent?.(event.type, "problem" in event ? event.problem : undefined);
    apply(stepFlow(state, event, deps.platform));
  }

  async function execute(effect: FlowEffect): Promise<void> {
    switch (effect.type) {
      case "check":
        return dispatch({ type: "checked", outcome: await deps.check() });
      case "download":
        return download(effect.offer);
      case "install":
        return install();
      case "open-download":
        return deps.openInBrowser(effect.url);
    }
  }

  async function download(offer: Offer): Promise<void> {
    try {
      await deps.download(offer, {
        onProgress: (progress) => dispatch({ type: "progressed", progress }),
        onTransferred: () => dispatch({ type: "transferred" }),
      });
      dispatch({ type: "verified" });
    } catch (error) {
      dispatch({ type: "download-failed", problem: describeProblem(error), expired: error instanceof AddressExpired });
    }
  }

  async function install(): Promise<void> {
    try {
      const notice = await deps.install();
      if (notice !== null) dispatch({ type: "handed-over", notice });
    } catch (error) {
      dispatch({ type: "install-failed", problem: describeProblem(error) });
    }
  }

  apply(startFlow(deps.platform));
  return {
    state: () => presentUpdate(state),
    /** Handles 'Install Update', 'Later', 'Continue Anyway' or a manual check. Ignores a choice that does not fit the state. */
    choose: (choice: UpdateChoice) => dispatch({ type: "chosen", choice }),
    /** Resolves when no effect is running: the state waits for a person, or is final. */
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
