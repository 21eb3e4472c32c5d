/// <reference lib="dom" />
// The built-in page: why the hub does not run, what that means for service, and what can be done about it here.
import type { DesktopBridge, DesktopHubState, DesktopSettingsState } from "@comanda/protocol";
import { fillSettingForm } from "./setting-form.ts";
import { words } from "./words.ts";

type Failure = Extract<DesktopHubState, { state: "failed" }>;

const desktop = (globalThis as unknown as { desktop: DesktopBridge }).desktop;
const part = (id: string) => document.querySelector(`#${id}`) as HTMLElement;
const form = part("settings") as HTMLFormElement;

desktop.onHubState((hub) => void show(hub));
void desktop.getHubState().then(show);

async function show(hub: DesktopHubState): Promise<void> {
  const saved = await desktop.getSettings();
  const text = words[saved.settings.language];
  document.documentElement.lang = saved.settings.language;
  part("outcome").textContent = "";
  if (hub.state !== "failed") {
    part("title").textContent = text.starting;
    for (const id of ["meaning", "error", "actions", "settings"]) part(id).replaceChildren();
    form.hidden = true;
    return;
  }
  part("title").textContent = text.title[hub.reason](hub);
  part("meaning").textContent = text.meaning[hub.reason];
  part("error").textContent = hub.error;
  part("actions").replaceChildren(...actions(hub, saved));
  part("actions").querySelector("button")?.classList.add("first");
  form.hidden = true;
  if (hub.reason === "setting") await showSettings(hub, saved);
}

/** The form for what is saved; saving starts the hub again with it. */
async function showSettings(failure: Failure, { settings }: DesktopSettingsState): Promise<void> {
  const text = words[settings.language];
  const save = async (values: Record<string, string | null>) => {
    const result = await desktop.changeHubSettings(values);
    if (result.ok) await desktop.restartHub();
    return result;
  };
  fillSettingForm(form, await desktop.getHubSettings(), failure.settings, text, (values) => {
    run(() => save(values), text.working);
  });
  form.hidden = false;
}

function actions(failure: Failure, saved: DesktopSettingsState): HTMLButtonElement[] {
  const text = words[saved.settings.language];
  const { suggestedPort: port } = failure;
  const portIsOurs = !saved.fromEnvironment.includes("HUB_HTTP_PORT");
  const offered: HTMLButtonElement[] = [];
  if (port !== undefined && portIsOurs) {
    offered.push(button(text.usePort(port), () => desktop.saveSettings({ ...saved.settings, port }), text.working));
  }
  if (asksForBackup.has(failure.reason) && failure.backupsFound > 0) {
    offered.push(
      explained(
        button(text.restore, () => desktop.restoreNewestBackup(), text.working),
        text.restoreMeans,
      ),
    );
  }
  offered.push(button(text.tryAgain, () => desktop.restartHub(), text.working));
  if (failure.reason === "restore_unfinished") {
    offered.push(
      explained(
        button(text.cancelRestore, () => desktop.cancelRestore(), text.working),
        text.cancelRestoreMeans,
      ),
    );
  }
  if (isDataGone.has(failure.reason)) {
    const sure = button(text.beginEmptySure, () => desktop.beginEmpty(), text.working);
    const begin = button(text.beginEmpty, () => {
      begin.replaceWith(sure);
      sure.focus();
      return Promise.resolve({ ok: false, error: text.beginEmptyMeans });
    });
    offered.push(explained(begin, text.beginEmptyMeans));
  }
  if (failure.reason !== "setting") {
    const open = async () => {
      await showSettings(failure, saved);
      form.querySelector("input")?.focus();
    };
    offered.push(button(text.openSettings, open));
  }
  if (failure.reason.startsWith("data_file")) offered.push(button(text.openData, () => desktop.openDataFolder()));
  offered.push(
    button(text.openLogs, () => desktop.openLogs()),
    button(text.quit, () => desktop.quit()),
  );
  return offered;
}

/** After these a backup is the way back; a file in use or on a full disk is not helped by one. */
const asksForBackup: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing", "data_file_newer"]);
/** There is no data file any more, so that an empty one can take its place. */
const isDataGone: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing"]);

function explained(made: HTMLButtonElement, meaning: string): HTMLButtonElement {
  made.title = meaning;
  made.setAttribute("aria-description", meaning);
  return made;
}

function button(label: string, work: () => Promise<unknown>, working = ""): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.addEventListener("click", () => run(work, working));
  return made;
}

/** While `work` runs no button can be pressed; a refusal is shown in its own words. */
function run(work: () => Promise<unknown>, working: string): void {
  const all = [...document.querySelectorAll("button")];
  for (const each of all) each.disabled = true;
  part("outcome").textContent = working;
  const settle = (outcome: string) => {
    part("outcome").textContent = outcome;
    for (const each of all) each.disabled = false;
  };
  const refused = (error: unknown) => settle(error instanceof Error ? error.message : String(error));
  work().then((result) => settle(refusalOf(result)), refused);
}

function refusalOf(result: unknown): string {
  const refused = result as { ok?: boolean; error?: string } | undefined;
  return refused?.ok === false ? (refused.error ?? "") : "";
}
