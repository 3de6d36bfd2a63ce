// Scenario files and the fields of the analysis screen: the position's tables are under [position] in the file.

export interface Scenario {
  title: string;
  rulings: string;
  position: string;
  script: string;
}

export function write({ title, rulings, position, script }: Scenario): string {
  const lines = position.split("\n");
  const at = lines.findIndex((line) => line.trim().startsWith("["));
  const head = (at < 0 ? lines : lines.slice(0, at)).join("\n").trim();
  const tables = (at < 0 ? [] : lines.slice(at))
    .join("\n")
    .replace(/^\s*\[\s*(p[12])\s*\]/gm, "[position.$1]")
    .trim();
  return [
    `id = "desk"`,
    `title = ${JSON.stringify(title || "desk")}`,
    `rulings = ${JSON.stringify(rulings.split(/[\s,]+/).filter(Boolean))}`,
    "",
    "[position]",
    head,
    tables,
    "",
    "[script]",
    'play = """',
    script.trim(),
    '"""',
    "",
  ].join("\n");
}

/** Return the contents of a file: a scenario with one script, or only a position. */
export function read(text: string): Scenario {
  const whole = text.replace(/\r\n/g, "\n");
  const begin = /^\[position\]$/m.exec(whole);
  if (!begin) return { title: "", rulings: "", position: whole, script: "" };
  const head = whole.slice(0, begin.index);
  const rest = whole.slice(begin.index + begin[0].length);
  const end = /^\[\[?(?:script|variant)\]\]?$/m.exec(rest);
  const body = end ? rest.slice(0, end.index) : rest;
  return {
    title: /^title = "(.*)"$/m.exec(head)?.[1] ?? "",
    rulings: (/^rulings = \[(.*)\]$/m.exec(head)?.[1] ?? "").replace(/"/g, ""),
    position: body.replace(/^\[position\.(p[12])\]/gm, "[$1]").trim() + "\n",
    script: /^play = """\n([\s\S]*?)"""/m.exec(rest)?.[1]?.trim() ?? "",
  };
}
