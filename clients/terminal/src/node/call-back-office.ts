/** A POST to the POS API with a session; throws the back-office's error sentence. */
export async function callBackOffice(url: string, token: string, path: string, body: object): Promise<unknown> {
  const response = await fetch(new URL(`/pos-api/v1/${path}`, url), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { error?: string };
  if (!response.ok) throw new Error(answer.error ?? `the back-office answered ${response.status}`);
  return answer;
}
