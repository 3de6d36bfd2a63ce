// IndexedDB rows for blackpoker/server/local/store.py, encoded as JSON.
type Row = unknown[];
interface Rows {
  rooms: Row[];
  entries: Row[];
  records: Row[];
}

function toPromise<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("IndexedDB"));
  });
}

export async function openDatabase(name: string): Promise<RowStore> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => {
    for (const table of ["rooms", "entries", "records", "keys"]) opening.result.createObjectStore(table);
  };
  return new RowStore(await toPromise(opening));
}

export class RowStore {
  constructor(private readonly database: IDBDatabase) {}

  /** Write all rows in one transaction; return false if an entry with the same number exists. */
  write(text: string): Promise<boolean> {
    const rows = JSON.parse(text) as Rows;
    const work = this.database.transaction(["rooms", "entries", "records"], "readwrite", { durability: "strict" });
    let taken = false;
    for (const row of rows.entries) {
      const adding = work.objectStore("entries").add(row, row.slice(0, 3) as IDBValidKey);
      adding.onerror = () => (taken ||= adding.error?.name === "ConstraintError");
    }
    for (const table of ["rooms", "records"] as const) {
      for (const row of rows[table]) work.objectStore(table).put(row, row[0] as IDBValidKey);
    }
    return new Promise((done, failed) => {
      work.oncomplete = () => done(true);
      work.onabort = () => (taken ? done(false) : failed(work.error ?? new Error("IndexedDB")));
    });
  }

  async read(what: string): Promise<string> {
    const [kind = "", id = "", game = ""] = what.split(" ");
    if (kind === "key") return ((await toPromise(this.table("keys").get(id))) as string | undefined) ?? "";
    const found: unknown =
      kind === "rooms"
        ? await toPromise(this.table("rooms").getAll())
        : kind === "entries"
          ? await toPromise(this.table("entries").getAll(IDBKeyRange.bound([id, Number(game)], [id, Number(game), []])))
          : await toPromise(this.table(`${kind}s`).get(id));
    return found === undefined ? "" : JSON.stringify(found);
  }

  async forget(text: string): Promise<void> {
    for (const room of JSON.parse(text) as string[]) {
      await toPromise(this.table("entries", "readwrite").delete(IDBKeyRange.bound([room], [room, []])));
      await toPromise(this.table("rooms", "readwrite").delete(room));
    }
  }

  async put(name: string, value: string): Promise<void> {
    await toPromise(this.table("keys", "readwrite").put(value, name));
  }

  private table(name: string, mode: IDBTransactionMode = "readonly"): IDBObjectStore {
    return this.database.transaction(name, mode).objectStore(name);
  }
}
