// platform_digest.py inside Pyodide: in node (node platform_digest.mjs PYODIDE_FOLDER PACKAGE.zip GAMES prints the result as
// one line) and in a browser, which imports this file.
export async function everywhere(folder, archive, script, games) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  const py = await loadPyodide({ indexURL: folder.replace("file://", "") });
  py.unpackArchive(new Uint8Array(archive), "zip", { extractDir: py.runPython("import sysconfig; sysconfig.get_path('purelib')") });
  py.globals.set("__name__", "platform_digest");
  py.runPython(script);
  return py.runPython(`json.dumps(everywhere(${Number(games)}), ensure_ascii=False)`);
}

async function main([folder, archive, games]) {
  const { readFileSync } = await import("node:fs");
  const { resolve } = await import("node:path");
  const { pathToFileURL } = await import("node:url");
  const script = readFileSync(new URL("platform_digest.py", import.meta.url), "utf8");
  try {
    console.log(await everywhere(`${pathToFileURL(resolve(folder))}/`, readFileSync(archive), script, games));
  } catch (problem) {
    console.log(String(problem.message ?? problem).slice(-3000)); // without the surrounding minified source
    process.exit(1);
  }
  process.exit(0);
}

if (globalThis.process?.argv) await main(process.argv.slice(2));
