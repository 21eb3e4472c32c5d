import audit from "./audit-texts.json" with { type: "json" };
import backup from "./backup-texts.json" with { type: "json" };
import chain from "./chain-texts.json" with { type: "json" };
import dataFile from "./data-file-texts.json" with { type: "json" };
import log from "./log-texts.json" with { type: "json" };
import losses from "./loss-texts.json" with { type: "json" };
import proposals from "./proposal-texts.json" with { type: "json" };
import overview from "./overview-texts.json" with { type: "json" };
import settingsPanel from "./settings-panel-texts.json" with { type: "json" };
import screen from "./texts.json" with { type: "json" };

/** The texts of the System screen, from a file per panel. */
export const systemTexts = {
  ...screen,
  ...overview,
  ...settingsPanel,
  ...backup,
  ...dataFile,
  ...log,
  ...audit,
  losses,
  chain,
  proposals,
};
