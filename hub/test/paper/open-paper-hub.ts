import path from "node:path";
import type { KitchenTicket, StoredOrder } from "@comanda/protocol";
import { createDocuments } from "../../composition/create-documents.ts";
import { createOrderCommands } from "../../composition/create-order-commands.ts";
import { openDataFile } from "../../db/open.ts";
import { createPrinterAdmin } from "../../printing/printer-admin.ts";
import { createPrintService } from "../../printing/print-service.ts";
import { routedStations } from "../../printing/printers.ts";
import type { World } from "../../platform/world.ts";
import { readHubConfig } from "../../settings/config.ts";
import { createStores } from "../../stores/create-stores.ts";

const stations = [
  { id: "hot", name: "Caliente", categoryIds: [], productIds: [1] },
  { id: "bar", name: "Bar", categoryIds: [], productIds: [2] },
  { id: "cold", name: "Fria", categoryIds: [], productIds: [3] },
];

export type PaperHub = ReturnType<typeof openPaperHub>;

/** Opens what writes orders and prints on a data file, without terminals. */
export function openPaperHub(file: string, world: World) {
  const config = readHubConfig({ HUB_DB_PATH: file, HUB_PRINT_FALLBACK_MS: "6000", HUB_PRINT_EXPIRE_MS: "60000" });
  const dataFile = openDataFile({ file, backupDir: path.join(path.dirname(file), "backups"), allowEmpty: true, world });
  const stores = createStores(config, () => world, dataFile);
  const pos = {
    session: () => ({ active: true }),
    config: () => null,
    formerRate: () => null,
    formerCash: () => [],
    tables: () => null,
    stations: () => stations,
    takeBackMs: 30_000,
    isContingency: () => false,
  };
  const commands = createOrderCommands({ world, pos, stores, config, askCredit: () => null });
  const documents = createDocuments({ config, worldOf: () => world, stores, pos, orderCommands: commands });
  const { changes, printers, printJobs: jobs, spool } = stores;
  const printing = createPrintService({
    world,
    changes,
    jobs,
    printers,
    spool,
    pollMs: config.printerPollMs,
    fallbackMs: config.printFallbackMs,
    expireMs: config.printExpireMs,
  });
  for (const record of documents.recorders) changes.addRecorder(record);
  changes.addListener(printing.follow);
  const admin = createPrinterAdmin({ world, printers, spool, stationIds: () => routedStations(stations) });
  const bodies = dataFile.db.prepare<[], string>("SELECT body FROM tickets ORDER BY id").pluck();
  const references = dataFile.db.prepare<[], string>("SELECT pos_reference FROM orders ORDER BY 1").pluck();
  const jobIds = dataFile.db.prepare<[], string>("SELECT job_id FROM print_jobs ORDER BY id").pluck();
  return {
    file,
    stores,
    admin,
    printing,
    documents,
    apply: commands.applyTerminalChange,
    tickets: (): KitchenTicket[] => bodies.all().map((body) => JSON.parse(body) as KitchenTicket),
    orders: (): StoredOrder[] => references.all().flatMap((reference) => stores.orders.get(reference) ?? []),
    jobs: () => jobIds.all().flatMap((id) => jobs.get(id) ?? []),
    /** Ends without a goodbye: what was not stored is lost. */
    close: dataFile.close,
  };
}
