import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

interface LockEntry {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}

/** Writes the licences of all packages in the app, as most licences require. */
export function writeNotices(file: string): void {
  const { packages } = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  const carried = Object.entries(packages).filter(
    ([folder, { dev, link }]) =>
      folder.includes("node_modules/") && dev !== true && link !== true && existsSync(path.join(root, folder)),
  );
  const notices = carried.map(([folder, { version = "", license = "see its text" }]) => {
    const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
    return `${name} ${version} (${license})\n\n${licenceText(path.join(root, folder))}`;
  });
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `Comanda Hub contains these packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`);
}

function licenceText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(name));
  return file === undefined
    ? "(The package comes without a licence text.)\n"
    : `${readFileSync(path.join(folder, file), "utf8").trim()}\n`;
}
