import type { FileHandle } from "node:fs/promises";
import type { Context } from "koa";

/** Streams a file, or the one range that was requested, and closes the handle. */
export async function sendFile(ctx: Context, handle: FileHandle, fileName: string): Promise<void> {
  const { size, mtimeMs } = await handle.stat();
  const etag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
  const unchanged = ctx.get("if-range") === "" || ctx.get("if-range") === etag;
  const range = unchanged ? readRange(ctx.get("range"), size) : "whole";

  ctx.type = "application/octet-stream";
  ctx.attachment(fileName);
  ctx.set({ "accept-ranges": "bytes", "cache-control": "private, no-store", etag });
  if (range === "unsatisfiable") {
    await handle.close();
    ctx.set("content-range", `bytes */${size}`);
    ctx.throw(416, "that range lies outside the file");
  }

  const { start, end } = range === "whole" ? { start: 0, end: size - 1 } : range;
  ctx.status = range === "whole" ? 200 : 206;
  if (range !== "whole") ctx.set("content-range", `bytes ${start}-${end}/${size}`);
  ctx.length = end - start + 1;
  if (ctx.method === "HEAD" || size === 0) return handle.close();
  ctx.body = handle.createReadStream({ start, end, highWaterMark: 256 * 1024 });
  ctx.length = end - start + 1;
}

/** Returns the `bytes=` range of a file of `size` bytes. Several ranges, or an invalid one, mean the whole file. */
export function readRange(header: string, size: number): { start: number; end: number } | "whole" | "unsatisfiable" {
  const parts = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  const [first = "", last = ""] = parts?.slice(1) ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const start = Math.max(0, size - Number(last));
    return Number(last) === 0 || size === 0 ? "unsatisfiable" : { start, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return "whole";
  return start >= size ? "unsatisfiable" : { start, end };
}
