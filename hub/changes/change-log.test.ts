import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { openDataFile, openMemory } from "../db/open.ts";
import { HubError } from "../platform/errors.ts";
import { realWorld } from "../platform/world.ts";
import type { Change, Tx } from "./change.ts";
import { createChangeLog } from "./change-log.ts";

const world = realWorld(pino({ level: "silent" }));

function setUp() {
  const db = openMemory(world);
  // Lets tests fail a commit with a violated deferred foreign key.
  db.pragma("foreign_keys = ON");
  db.exec(`
    CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT) STRICT;
    CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
  `);
  const changes = createChangeLog(db, world);
  const groups: Change[][] = [];
  changes.addListener((group) => void groups.push([...group]));
  const insert = db.prepare<[string]>("INSERT INTO notes (text) VALUES (?)");
  const note = (tx: Tx, text: string): number => {
    insert.run(text);
    const seq = tx.nextSeq();
    tx.emit({ kind: "plugin.removed", seq, pluginId: "p", key: text });
    return seq;
  };
  const texts = (): string[] =>
    db
      .prepare<[], { text: string }>("SELECT text FROM notes ORDER BY id")
      .all()
      .map((row) => row.text);
  const announcedKeys = (): string[][] =>
    groups.map((group) => group.map((change) => (change.kind === "plugin.removed" ? change.key : change.kind)));
  const storedSeq = (): number => db.prepare<[], { seq: number }>("SELECT seq FROM hub_state").get()?.seq ?? -1;
  return { db, changes, note, texts, announcedKeys, storedSeq };
}

describe("the change log", () => {
  it("the writes of one turn are committed together and announced as one group [DB-10]", async () => {
    const { changes, note, texts, announcedKeys, storedSeq } = setUp();
    const seqs = await Promise.all(["a", "b", "c"].map((text) => changes.write((tx) => note(tx, text))));
    expect(seqs).toEqual([1, 2, 3]);
    expect(announcedKeys()).toEqual([["a", "b", "c"]]);
    expect(texts()).toEqual(["a", "b", "c"]);
    expect(storedSeq()).toBe(3);
  });

  it("a refused write alone is undone: its rows, its changes and its numbers [DB-10]", async () => {
    const { changes, note, texts, announcedKeys } = setUp();
    const outcomes = await Promise.allSettled([
      changes.write((tx) => note(tx, "a")),
      changes.write((tx) => {
        note(tx, "lost");
        note(tx, "lost too");
        throw new HubError("FORBIDDEN", "no");
      }),
      changes.write((tx) => note(tx, "b")),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[2]).toMatchObject({ value: 2 });
    expect(texts()).toEqual(["a", "b"]);
    expect(announcedKeys()).toEqual([["a", "b"]]);
  });

  it("a failing recorder undoes its write, as it runs in the same transaction [DB-10]", async () => {
    const { changes, note, texts } = setUp();
    changes.addRecorder((change) => {
      if (change.kind === "plugin.removed" && change.key === "bad") throw new Error("recorder");
    });
    await expect(changes.write((tx) => note(tx, "bad"))).rejects.toThrow("recorder");
    await changes.write((tx) => note(tx, "good"));
    expect(texts()).toEqual(["good"]);
  });

  it("a failed commit fails all of its writers and announces none of their changes [DB-11]", async () => {
    const { db, changes, note, texts, announcedKeys, storedSeq } = setUp();
    let undone = 0;
    changes.addUndoListener(() => (undone += 1));
    await changes.write((tx) => note(tx, "before"));
    const outcomes = await Promise.allSettled([
      changes.write((tx) => note(tx, "a")),
      changes.write(() => void db.prepare("INSERT INTO children (parent) VALUES (99)").run()),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(undone).toBe(1);
    expect(await changes.write((tx) => note(tx, "after"))).toBe(2);
    expect(texts()).toEqual(["before", "after"]);
    expect(announcedKeys()).toEqual([["before"], ["after"]]);
    expect(storedSeq()).toBe(2);
  });

  it("a write refused in a group whose commit fails gets the commit's error, not its refusal [DB-31]", async () => {
    const { db, changes, note } = setUp();
    db.exec("CREATE TABLE owed (id INTEGER PRIMARY KEY REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)");
    const lost = changes.write((tx) => {
      // Violates a deferred foreign key, so that the commit fails.
      db.exec("INSERT INTO owed (id) VALUES (99)");
      return note(tx, "a");
    });
    const refused = changes.write(() => {
      throw new HubError("CONFLICT", "somebody else wrote it", { hubVersion: 2, snapshot: {} } as never);
    });
    await expect(lost).rejects.toThrow("FOREIGN KEY");
    await expect(refused).rejects.toThrow("FOREIGN KEY");
    const write = changes.write(() => {
      throw new HubError("NOT_FOUND", "no");
    });
    await expect(write).rejects.toThrow("no");
  });

  it("a write that cannot be undone alone fails its whole group, so that no part of it is committed [ORDER-177]", async () => {
    const { db, changes, note, texts, announcedKeys } = setUp();
    let undone = 0;
    changes.addUndoListener(() => (undone += 1));
    const outcomes = await Promise.allSettled([
      changes.write((tx) => note(tx, "a")),
      changes.write((tx) => {
        note(tx, "half");
        // Without its savepoint, SQLite cannot undo this write alone; a failing disk has the same effect.
        db.exec("RELEASE command");
        throw new HubError("FORBIDDEN", "no");
      }),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["rejected", "rejected"]);
    expect(undone).toBe(1);
    expect(await changes.write((tx) => note(tx, "after"))).toBe(1);
    expect(texts()).toEqual(["after"]);
    expect(announcedKeys()).toEqual([["after"]]);
  });

  it("a write to a full file fails with STORAGE_FULL, and succeeds when there is space again [DB-11]", async () => {
    const { db, changes, note, texts } = setUp();
    const pages = Number(db.pragma("page_count", { simple: true }));
    db.pragma(`max_page_count = ${pages + 2}`);
    const big = "x".repeat(20_000);
    const outcomes = await Promise.allSettled([
      changes.write((tx) => note(tx, "small")),
      changes.write((tx) => note(tx, big)),
    ]);
    expect(outcomes[1]).toMatchObject({ status: "rejected", reason: { code: "STORAGE_FULL" } });
    const isCommitted = outcomes[0]?.status === "fulfilled";
    expect(texts()).toEqual(isCommitted ? ["small"] : []);
    db.pragma("max_page_count = 1000000");
    await changes.write((tx) => note(tx, big));
    expect(texts()).toEqual([...(isCommitted ? ["small"] : []), big]);
  });

  it("no read runs between a write and its commit [TERM-44]", async () => {
    const { changes, note, texts, storedSeq } = setUp();
    const states: [string[], number][] = [];
    const readState = () => changes.read(() => void states.push([texts(), storedSeq()]));
    const readStored = async (): Promise<void> => {
      await changes.settled();
      states.push([texts(), storedSeq()]);
    };
    const chain = async (): Promise<void> => {
      for (const text of ["a", "b", "c", "d"]) await changes.write((tx) => note(tx, text));
    };
    const writing = chain();
    for (let i = 0; i < 20; i += 1) {
      await readState();
      await readStored();
    }
    await writing;
    await readState();
    for (const [rows, seq] of states) expect(rows).toHaveLength(seq);
    expect(states.at(-1)).toEqual([["a", "b", "c", "d"], 4]);
  });

  it("a read that waits for a commit sees no write that a listener or another read begins meanwhile [ORDER-178]", async () => {
    const { changes, note, texts, storedSeq } = setUp();
    const writes: Promise<unknown>[] = [];
    let isFirst = true;
    changes.addListener(() => {
      if (isFirst) writes.push(changes.write((tx) => note(tx, "of the listener")));
      isFirst = false;
    });
    const states: [string[], number][] = [];
    writes.push(changes.write((tx) => note(tx, "a")));
    const reads = ["of the read", "of the next read"].map((text) =>
      changes.read(() => {
        states.push([texts(), storedSeq()]);
        writes.push(changes.write((tx) => note(tx, text)));
      }),
    );
    await Promise.all(reads);
    await Promise.all(writes);
    expect(states).toEqual([
      [["a", "of the listener"], 2],
      [["a", "of the listener", "of the read"], 3],
    ]);
  });

  it("a reader's exception reaches the caller of the read [TERM-44]", async () => {
    const { changes, note } = setUp();
    const writing = changes.write((tx) => note(tx, "a"));
    const reading = changes.read(() => {
      throw new Error("reader");
    });
    await expect(reading).rejects.toThrow("reader");
    expect(await writing).toBe(1);
  });

  it("the data file uses WAL and synchronous=FULL [DB-1]", async () => {
    const { mkdtempSync, rmSync } = await import("node:fs");
    const { tmpdir } = await import("node:os");
    const path = await import("node:path");
    const folder = mkdtempSync(path.join(tmpdir(), "hub-db-"));
    const db = openDataFile({
      file: path.join(folder, "hub.sqlite"),
      backupDir: path.join(folder, "backups"),
      world,
    }).db;
    expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(db.pragma("synchronous", { simple: true })).toBe(2);
    db.close();
    rmSync(folder, { recursive: true });
  });
});
