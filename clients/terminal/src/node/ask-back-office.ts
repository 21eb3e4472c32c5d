/** A call to the POS API as a terminal makes it; throws the back-office's own words. */
export async function askBackOffice(url: string, token: string, path: string, body: object): Promise<unknown> {
  const answer = await fetch(new URL(`/pos-api/v1/${path}`, url), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const said = (await answer.json()) as { error?: string };
  if (!answer.ok) throw new Error(said.error ?? `the back-office answered ${answer.status}`);
  return said;
}
