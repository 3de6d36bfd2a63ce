// node everywhere.mjs PYODIDE_FOLDER WHEELS_FOLDER LIBRARY GAMES: everywhere.py inside Pyodide, its answer as one line.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [, , folder, wheels, library, games] = process.argv;
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")));
const py = await loadPyodide({ indexURL: resolve(folder) + "/" });
const site = py.runPython("import sysconfig; sysconfig.get_path('purelib')");
for (const name of readdirSync(wheels).filter((one) => one.endsWith(".whl")))
  py.unpackArchive(new Uint8Array(readFileSync(resolve(wheels, name))), "zip", { extractDir: site });
py.FS.writeFile(`${site}/blackpoker/native/rules.native.so`, new Uint8Array(readFileSync(library)));
try {
  py.globals.set("__name__", "everywhere");
  py.runPython(readFileSync(resolve(dirname(fileURLToPath(import.meta.url)), "everywhere.py"), "utf8"));
  console.log(py.runPython(`json.dumps(everywhere(${Number(games)}), ensure_ascii=False)`));
} catch (problem) {
  console.log(String(problem.message ?? problem).slice(-3000)); // without the minified source around it
  process.exit(1);
}
process.exit(0);
