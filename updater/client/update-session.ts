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
  /** The bytes are here; the signature is being checked. */
  onTransferred(): void;
}

export interface SessionWorld {
  platform: FlowPlatform;
  check(): Promise<CheckOutcome>;
  /** Resolves once the file is here and its signature has been verified. */
  download(offer: Offer, hooks: DownloadHooks): Promise<void>;
  /** Hands the verified file to its installer. Resolves with what is left for a person to do, or null when the app ends by itself. */
  install(): Promise<string | null>;
  openInBrowser(url: string): Promise<void>;
  onState(state: UpdateState): void;
  /** Told every step, for the log; texts carry no addresses. */
  onEvent?(event: FlowEvent["type"], problem: string | undefined): void;
}

export interface UpdateSession {
  state(): UpdateState;
  /** 'Install Update', 'Later', 'Continue Anyway', or a check asked for by hand. What does not fit the moment is ignored. */
  choose(choice: UpdateChoice): void;
  /** Resolves when nothing is under way: a state that waits for a person, or the end. */
  settled(): Promise<void>;
}

/** Runs the update flow from launch on: feeds events in, carries effects out. */
export function startUpdateSession(world: SessionWorld): UpdateSession {
  const running = new Set<Promise<void>>();
  let state: FlowState = { name: "checking" };

  function take(step: Step): void {
    state = step.state;
    world.onState(presentUpdate(state));
    for (const effect of step.effects) {
      const work = carryOut(effect).finally(() => running.delete(work));
      running.add(work);
    }
  }

  function tell(event: FlowEvent): void {
    if (event.type !== "progressed") world.onEvent?.(event.type, "problem" in event ? event.problem : undefined);
    take(stepFlow(state, event, world.platform));
  }

  async function carryOut(effect: FlowEffect): Promise<void> {
    switch (effect.type) {
      case "check":
        return tell({ type: "checked", outcome: await world.check() });
      case "download":
        return download(effect.offer);
      case "install":
        return install();
      case "open-download":
        return world.openInBrowser(effect.url);
    }
  }

  async function download(offer: Offer): Promise<void> {
    try {
      await world.download(offer, {
        onProgress: (progress) => tell({ type: "progressed", progress }),
        onTransferred: () => tell({ type: "transferred" }),
      });
      tell({ type: "verified" });
    } catch (error) {
      tell({ type: "download-failed", problem: describeProblem(error), expired: error instanceof AddressExpired });
    }
  }

  async function install(): Promise<void> {
    try {
      const notice = await world.install();
      if (notice !== null) tell({ type: "handed-over", notice });
    } catch (error) {
      tell({ type: "install-failed", problem: describeProblem(error) });
    }
  }

  take(startFlow(world.platform));
  return {
    state: () => presentUpdate(state),
    choose: (choice) => tell({ type: "chosen", choice }),
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
