/// <reference lib="dom" />
// The built-in page: why the hub does not run, what that means for service, and a button for each way out.
import type { DesktopBackups, DesktopBridge, DesktopHubState, DesktopSettingsState } from "@comanda/protocol";
import { emptyWay, otherBackupWay, restoreWay } from "./data-file-ways.ts";
import { button, part, way } from "./dom.ts";
import { fillSettingForm } from "./setting-form.ts";
import { words } from "./words.ts";

type Failure = Extract<DesktopHubState, { state: "failed" }>;

const desktop = (globalThis as unknown as { desktop: DesktopBridge }).desktop;
const form = part("settings") as HTMLFormElement;
const details = part("details") as HTMLDetailsElement;
let shown = "";

desktop.onHubState((hub) => void show(hub));
void desktop.getHubState().then(show);

async function show(hub: DesktopHubState): Promise<void> {
  const saved = await desktop.getSettings();
  const { language } = saved.settings;
  const text = words[language];
  document.documentElement.lang = language;
  if (hub.state !== "failed") {
    shown = "";
    part("title").textContent = text.starting;
    for (const id of ["meaning", "outcome", "error", "ways", "more", "settings"]) part(id).replaceChildren();
    form.hidden = true;
    details.hidden = true;
    return;
  }
  // The hub fails in the same way again when an attempt did not help: what was being chosen or typed stays.
  const now = JSON.stringify([hub, language]);
  if (now === shown) return;
  shown = now;
  part("title").textContent = text.title[hub.reason](hub);
  part("meaning").textContent = text.meaning[hub.reason];
  part("error").textContent = hub.error;
  (details.firstElementChild as HTMLElement).textContent = text.details;
  details.hidden = false;
  // Where the page's own words say what to do, the hub's sentence for the command line is a detail.
  details.open = !hasOwnWays(hub);
  const found = await ways(hub, saved);
  // Another failure may have come meanwhile.
  if (now !== shown) return;
  part("ways").replaceChildren(...found);
  part("ways").querySelector("button")?.classList.add("first");
  part("more").replaceChildren(...moreButtons(hub, saved));
  form.hidden = true;
  if (hub.reason === "setting") await showSettings(hub, saved);
}

/** Shows the saved settings as a form; saving restarts the hub with them. */
async function showSettings(failure: Failure, { settings }: DesktopSettingsState): Promise<void> {
  const save = async (values: Record<string, string | null>) => {
    const result = await desktop.changeHubSettings(values);
    if (!result.ok) return `${words[settings.language].setting.refused} (${result.error})`;
    return desktop.restartHub();
  };
  fillSettingForm(form, await desktop.getHubSettings(), failure.settings, settings.language, (values) => {
    run(() => save(values));
  });
  form.hidden = false;
}

/** The ways out of this failure, the likeliest first. */
async function ways(failure: Failure, saved: DesktopSettingsState): Promise<HTMLElement[]> {
  const text = words[saved.settings.language];
  const { suggestedPort: port } = failure;
  const portIsOurs = !saved.fromEnvironment.includes("HUB_HTTP_PORT");
  const found: HTMLElement[] = [];
  if (port !== undefined && portIsOurs) {
    const save = () => desktop.saveSettings({ ...saved.settings, port });
    found.push(
      way(
        button(text.usePort(port), () => run(save)),
        text.usePortMeans(port),
      ),
    );
  }
  const tryAgain = way(
    button(text.tryAgain, () => run(() => desktop.restartHub())),
    text.tryAgainMeans,
  );
  if (helpedByBackup.has(failure.reason)) {
    // A backup folder that cannot be read must not take the other ways out away.
    const backups = await desktop.getBackups().catch((): DesktopBackups => ({ backups: [], newestGood: null }));
    const restore = (path: string) => run(() => desktop.restoreBackup(path));
    const newest = backups.backups.find(({ path }) => path === backups.newestGood);
    if (newest !== undefined) found.push(restoreWay(newest, saved.settings.language, restore));
    const choose = (from: "file" | "folder") => desktop.chooseBackups(from);
    found.push(otherBackupWay(backups, saved.settings.language, { restore, choose, say }));
  }
  found.push(tryAgain);
  if (failure.reason === "restore_unfinished") {
    found.push(
      way(
        button(text.cancelRestore, () => run(() => desktop.cancelRestore())),
        text.cancelRestoreMeans,
      ),
    );
  }
  if (hasLostData.has(failure.reason)) {
    found.push(emptyWay(saved.settings.language, () => run(() => desktop.beginEmpty())));
  }
  return found;
}

/** What does not solve it by itself: settings, folders, a report, the other language, quitting. */
function moreButtons(failure: Failure, saved: DesktopSettingsState): HTMLButtonElement[] {
  const { language } = saved.settings;
  const text = words[language];
  const openSettings = async () => {
    await showSettings(failure, saved);
    form.querySelector("input")?.focus();
  };
  const saveDiagnostics = async () => {
    const file = await desktop.saveDiagnostics();
    return file === null ? "" : text.saved(file);
  };
  const changeLanguage = async () => {
    await desktop.setLanguage(language === "es" ? "en" : "es");
    await show(await desktop.getHubState());
  };
  const other = button(text.otherLanguage, () => void changeLanguage());
  other.lang = language === "es" ? "en" : "es";
  return [
    ...(failure.reason === "setting" ? [] : [button(text.openSettings, () => run(openSettings))]),
    ...(failure.reason.startsWith("data_file")
      ? [button(text.openData, () => run(() => desktop.openDataFolder()))]
      : []),
    button(text.openLogs, () => run(() => desktop.openLogs())),
    button(text.saveDiagnostics, () => run(saveDiagnostics)),
    other,
    button(text.quit, () => run(() => desktop.quit())),
  ];
}

/** Restoring a backup helps after these, but not when the file is in use or the disk is full. */
const helpedByBackup: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing", "data_file_newer"]);
/** There is no usable data file any more, so an empty one can take its place. */
const hasLostData: ReadonlySet<Failure["reason"]> = new Set(["data_file", "data_file_missing"]);

function hasOwnWays({ reason }: Failure): boolean {
  return helpedByBackup.has(reason) || reason === "restore_unfinished";
}

/** Disables all buttons while `work` runs, then says why it was refused, or the sentence that it resolves with. */
function run(work: () => Promise<unknown>): void {
  const text = words[document.documentElement.lang === "en" ? "en" : "es"];
  const busy = [...document.querySelectorAll("button")].filter((each) => !each.disabled);
  for (const each of busy) each.disabled = true;
  say(text.working);
  const settle = (outcome: string) => {
    say(outcome);
    for (const each of busy) each.disabled = false;
  };
  const refused = (error: unknown) => settle(error instanceof Error ? error.message : String(error));
  work().then((result) => settle(outcomeOf(result, text)), refused);
}

function say(outcome: string): void {
  part("outcome").textContent = outcome;
}

function outcomeOf(result: unknown, text: (typeof words)["en"]): string {
  if (typeof result === "string") return result;
  const refused = result as { ok?: boolean; error?: string; code?: keyof typeof text.refused } | undefined;
  if (refused?.ok !== false) return "";
  const error = refused.error ?? "";
  return refused.code === undefined ? error : `${text.refused[refused.code]} (${error})`;
}
