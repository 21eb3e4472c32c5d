import { translate, type TextValues } from "./translate.ts";

/** The text at a key with a name from elsewhere in it, which may be newer than this page; undefined where there is none. */
export function knownText(
  t: (key: never, values?: TextValues) => string,
  key: string,
  values?: TextValues,
): string | undefined {
  const text = (t as (key: string, values?: TextValues) => string)(key, values);
  // What `t` says where there is no text: what stands before a colon, which a name may hold, is a feature to it.
  const missing = translate(undefined, "es", key.slice(key.indexOf(":") + 1), values);
  return text === missing ? undefined : text;
}
