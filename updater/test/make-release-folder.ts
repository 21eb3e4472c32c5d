import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export interface FolderRelease {
  version: string;
  notes?: string;
  published?: boolean;
  files?: Record<string, string | Buffer>;
}

export interface ReleaseFolder extends AsyncDisposable {
  root: string;
  add(release: FolderRelease): Promise<string>;
}

/** Creates a folder of releases that is removed when it goes out of scope. */
export async function makeReleaseFolder(releases: FolderRelease[] = []): Promise<ReleaseFolder> {
  const root = await mkdtemp(path.join(tmpdir(), "comanda-releases-"));
  const folder: ReleaseFolder = {
    root,
    async add({ version, notes, published = true, files = {} }) {
      const target = path.join(root, version);
      await mkdir(target, { recursive: true });
      const all = {
        ...files,
        ...(notes === undefined ? {} : { "NOTES.md": notes }),
        ...(published ? { PUBLISHED: "" } : {}),
      };
      await Promise.all(Object.entries(all).map(([name, content]) => writeFile(path.join(target, name), content)));
      return target;
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
  for (const release of releases) await folder.add(release);
  return folder;
}
