/** Takes server-sent events apart: feed it text as it arrives, it gives the `data` of each finished event. */
export function createEventParser(onData: (data: string) => void): (chunk: string) => void {
  let rest = "";
  let data: string[] = [];
  return (chunk) => {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) onData(data.join("\n"));
        data = [];
      } else if (line.startsWith("data:")) {
        data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      }
    }
  };
}
