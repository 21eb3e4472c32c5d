/** Opens a back-office session. Returns its id, which is the token for the hub. Throws the back-office's error message. */
export async function signIn(
  backOfficeUrl: string,
  { db = "demo", login, password }: { db?: string; login: string; password: string },
): Promise<string> {
  const answer = await fetch(new URL("/web/session/authenticate", backOfficeUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", method: "call", params: { db, login, password } }),
  });
  const body = (await answer.json()) as {
    error?: { message?: string; data?: { message?: string } };
    result?: { uid?: number | false | null };
  };
  if (body.error !== undefined) throw new Error(body.error.data?.message ?? body.error.message ?? "sign-in refused");
  if (typeof body.result?.uid !== "number") throw new Error("the back-office asks for a second factor");
  const cookies = answer.headers.getSetCookie().map((cookie) => /^session_id=([^;]+)/.exec(cookie)?.[1]);
  const sessionId = cookies.findLast((id) => id !== undefined);
  if (sessionId === undefined) throw new Error("the back-office answered without a session");
  return sessionId;
}
