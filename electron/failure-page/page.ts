/// <reference lib="dom" />
// The built-in page: why the hub does not run, what that means for service, and what can be done about it here.
import type { DesktopBridge, DesktopHubState, DesktopSettingsState } from "@comanda/protocol";
import { words } from "./words.ts";

type Failure = Extract<DesktopHubState, { state: "failed" }>;

const desktop = (globalThis as unknown as { desktop: DesktopBridge }).desktop;
const part = (id: string) => document.querySelector(`#${id}`) as HTMLElement;

desktop.onHubState((hub) => void show(hub));
void desktop.getHubState().then(show);

async function show(hub: DesktopHubState): Promise<void> {
  const saved = await desktop.getSettings();
  const text = words[saved.settings.language];
  document.documentElement.lang = saved.settings.language;
  part("outcome").textContent = "";
  if (hub.state !== "failed") {
    part("title").textContent = text.starting;
    for (const id of ["meaning", "error", "actions"]) part(id).replaceChildren();
    return;
  }
  part("title").textContent = text.title[hub.reason](hub);
  part("meaning").textContent = text.meaning[hub.reason];
  part("error").textContent = hub.error;
  part("actions").replaceChildren(...actions(hub, saved));
  part("actions").querySelector("button")?.classList.add("first");
}

function actions(failure: Failure, saved: DesktopSettingsState): HTMLButtonElement[] {
  const text = words[saved.settings.language];
  const { suggestedPort: port } = failure;
  const portIsOurs = !saved.fromEnvironment.includes("HUB_HTTP_PORT");
  const offered: HTMLButtonElement[] = [];
  if (port !== undefined && portIsOurs) {
    offered.push(button(text.usePort(port), () => desktop.saveSettings({ ...saved.settings, port }), text.working));
  }
  if (failure.reason.startsWith("data_file") && failure.backupsFound > 0) {
    const restore = button(text.restore, () => desktop.restoreNewestBackup(), text.working);
    restore.title = text.restoreMeans;
    restore.setAttribute("aria-description", text.restoreMeans);
    offered.push(restore);
  }
  offered.push(button(text.tryAgain, () => desktop.restartHub(), text.working));
  if (failure.reason.startsWith("data_file")) offered.push(button(text.openData, () => desktop.openDataFolder()));
  offered.push(
    button(text.openLogs, () => desktop.openLogs()),
    button(text.quit, () => desktop.quit()),
  );
  return offered;
}

/** While its work runs no button can be pressed; a refusal is shown in its own words. */
function button(label: string, work: () => Promise<unknown>, working = ""): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", () => {
    const all = [...part("actions").querySelectorAll("button")];
    for (const other of all) other.disabled = true;
    part("outcome").textContent = working;
    const settle = (outcome: string) => {
      part("outcome").textContent = outcome;
      for (const other of all) other.disabled = false;
    };
    const refused = (error: unknown) => settle(error instanceof Error ? error.message : String(error));
    work().then((result) => settle(refusalOf(result)), refused);
  });
  return made;
}

function refusalOf(result: unknown): string {
  const refused = result as { ok?: boolean; error?: string } | undefined;
  return refused?.ok === false ? (refused.error ?? "") : "";
}
