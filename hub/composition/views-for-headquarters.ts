import type { LogLine, Overview } from "@comanda/protocol";
import type { ProposableSettings } from "../chain/proposals/proposal-targets.ts";
import type { OperatorViews } from "./create-operator-views.ts";
import type { SettingsAdmin } from "../operator/system/settings-admin.ts";
import type { LogTail } from "../platform/log-tail.ts";

const LOG_LINES = 500;

/** What headquarters read and change through the operator's views. */
export interface ViewsForHeadquarters {
  overview(): Overview;
  paidChecks(): number;
  /** Version, settings without secrets, and the health of the data file and its backups. */
  doctor(): Promise<unknown>;
  logs(): LogLine[];
  settings: ProposableSettings;
}

export function viewsForHeadquarters(deps: {
  views: OperatorViews;
  system: { settings(): unknown; dataFile(): unknown; backups(): unknown };
  logs: LogTail;
  settings: SettingsAdmin;
}): ViewsForHeadquarters {
  const { views, system, logs, settings } = deps;
  return {
    overview: () => views.overview(true),
    paidChecks: () => views.totals.read().paidOrders,
    doctor: async () => ({
      overview: views.overview(false),
      settings: system.settings(),
      dataFile: system.dataFile(),
      backups: await system.backups(),
    }),
    logs: () => logs.find({ level: "debug", limit: LOG_LINES }),
    settings: {
      list: () => settings.list().settings,
      require: settings.requireAllowed,
      change: settings.changeIn,
    },
  };
}
