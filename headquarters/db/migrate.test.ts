import path from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../test/test-folder.ts";
import { openDatabase } from "./open.ts";

it("a database with the tables of another development version is refused with an instruction [HQ-225]", async () => {
  const dataDir = await testFolder();
  const open = () => openDatabase({ url: null, dataDir });
  const database = await open();
  await database.execute("UPDATE schema_version SET made = NULL");
  await database.close();
  await expect(open()).rejects.toThrow(`delete the folder ${path.join(dataDir, "database")}, start again`);
});
