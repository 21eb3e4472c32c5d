import type { Lease, PrintJobNews } from "@comanda/protocol";
import { appendJsonField } from "../../platform/append-json-field.ts";
import { emptyContent, syncFields, type SyncContent } from "./sync-content.ts";

/** Small enough that even a slow line takes a page long before it counts as not reading. */
const PAGE_BYTES = 128 * 1024;

/** Yields the messages of a SYNC. Only the first has the data that is not shared state. */
export function* paginate(
  head: object,
  content: SyncContent,
  first: { leases: Lease[]; printJobs: PrintJobNews[] },
): Generator<string> {
  const pages = splitUp(content);
  for (const [index, each] of pages.entries()) {
    const lists = syncFields.map((field): [string, string] => [field, `[${each[field].join(",")}]`]);
    const page = [
      ...lists,
      ["leases", JSON.stringify(index === 0 ? first.leases : [])],
      ...(index === 0 ? ([["printJobs", JSON.stringify(first.printJobs)]] as const) : []),
      ["more", String(index < pages.length - 1)],
    ] as const;
    yield page.reduce((json, [name, value]) => appendJsonField(json, name, value), JSON.stringify(head));
  }
}

function splitUp(content: SyncContent): SyncContent[] {
  const pages: SyncContent[] = [emptyContent()];
  let page = pages[0] ?? emptyContent();
  let bytes = 0;
  for (const field of syncFields) {
    for (const record of content[field]) {
      if (bytes > 0 && bytes + record.length > PAGE_BYTES) {
        page = emptyContent();
        pages.push(page);
        bytes = 0;
      }
      page[field].push(record);
      bytes += record.length;
    }
  }
  return pages;
}
