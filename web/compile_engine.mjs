// node compile_engine.mjs PYODIDE_FOLDER PACKAGE.zip OUT_FOLDER: write the engine's Python as bytecode of the Python that
// loads it: blackpoker.pack is the package (a zip compressed as a whole), python_stdlib.zip the part of the library it uses.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [, , pyodide, archive, out] = process.argv;
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));
const py = await loadPyodide({ indexURL: resolve(pyodide) + "/" });
py.FS.writeFile("/package.zip", new Uint8Array(readFileSync(archive)));
py.FS.writeFile("/stdlib.zip", new Uint8Array(readFileSync(resolve(pyodide, "python_stdlib.zip"))));
py.runPython(`
import ast, contextlib, gzip, importlib._bootstrap_external as loader, importlib.util, io, json, sys, sysconfig, zipfile

def asked_for():
    """Return the library files that are loaded by all imports of the package, and those that error messages need."""
    site = sysconfig.get_path("purelib")
    with zipfile.ZipFile("/package.zip") as given:
        given.extractall(site)
        ours = [path[:-3].replace("/", ".") for path in given.namelist() if path.startswith("blackpoker/") and path.endswith(".py")]
        wanted = json.loads(given.read("imported.json")) + ["traceback", "_suggestions", "asyncio", "encodings.idna", "encodings.latin_1", "encodings.ascii"]
    for name in wanted + ours:
        with contextlib.suppress(ImportError, AttributeError):
            importlib.import_module(name)
    files = {getattr(module, "__file__", None) or "" for module in sys.modules.values()}
    return {path.partition(".zip/")[2] for path in files if ".zip/" in path}

def bytecode(data, path):
    """Return bytecode without docstrings and line numbers, which halves the download."""
    tree = ast.parse(data)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            if isinstance(body[0].value.value, str):
                body[0].value.value = " "  # without any, a class would generate one when it is loaded
    code = without_lines(compile(tree, path, "exec", dont_inherit=True))
    return bytes(loader._code_to_hash_pyc(code, importlib.util.source_hash(data), False))

def without_lines(code):
    inner = tuple(without_lines(one) if hasattr(one, "co_linetable") else one for one in code.co_consts)
    eights, rest = divmod(len(code.co_code) // 2, 8)
    nowhere = b"\\xff" * eights + (bytes([0xf8 | rest - 1]) if rest else b"")  # up to eight instructions without a line per entry
    return code.replace(co_linetable=nowhere, co_consts=inner)

stdlib = asked_for()
OWN = ("pyodide/", "_pyodide/", "encodings/__init__", "encodings/aliases", "encodings/utf_8", "_sysconfigdata")

def packed(name, method):
    """Return a zip of all modules as bytecode. Order and timestamps are fixed, so that the build is reproducible."""
    out = io.BytesIO()
    with zipfile.ZipFile(name) as given, zipfile.ZipFile(out, "w") as made:
        for path in sorted(given.namelist(), key=lambda path: (path.rpartition(".")[2], path)):
            if path.endswith("/") or path == "imported.json" or (name == "/stdlib.zip" and path not in stdlib and not path.startswith(OWN)):
                continue
            data = given.read(path)
            if path.endswith(".py"):
                data, path = bytecode(data, path), path + "c"
            made.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data, method, 9)
    return out.getvalue()

def package():
    """Return the package compressed as a whole: a sixth smaller than compressed file by file."""
    return gzip.compress(packed("/package.zip", zipfile.ZIP_STORED), 9, mtime=0)

def library():
    return packed("/stdlib.zip", zipfile.ZIP_DEFLATED)
`);
writeFileSync(resolve(out, "blackpoker.pack"), py.globals.get("package")().toJs());
writeFileSync(resolve(out, "python_stdlib.zip"), py.globals.get("library")().toJs());
process.exit(0);
