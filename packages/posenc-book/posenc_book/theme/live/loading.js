// Load the files of the runtime: count their bytes, so that the page can say how much is left, and
// check their hashes, so that a damaged file is refused before it is used.

const fetchAnything = self.fetch.bind(self);
const subtle = self.crypto?.subtle;

export class Refusal extends Error {}

const hash = async (bytes) => {
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
};
const types = { wasm: "application/wasm", mjs: "text/javascript", json: "application/json" };

export class Files {
  // `listed` are the files in runtime.json; `tell` gets the number of bytes still to come.
  constructor(root, listed, tell) {
    Object.assign(this, { root, listed, tell, coming: {}, left: {} });
    this.failure = new Promise((_, reject) => {
      this.refuse = reject;
    });
    this.failure.catch((error) => {
      this.failed = error;
    });
    // Pyodide fetches its files itself: answer it from here.
    self.fetch = (address, options) => {
      const url = new URL(address.url ?? address, root).href;
      const path = url.slice(root.length);
      return url.startsWith(root) && path in listed
        ? this.response(path)
        : fetchAnything(address, options);
    };
  }

  // Return the bytes of a file, which may be on its way already.
  want(path) {
    this.coming[path] ??= this.fetch(path);
    this.coming[path].catch(this.refuse);
    return this.coming[path];
  }

  async response(path) {
    const bytes = await this.want(path);
    this.coming[path] = undefined; // not needed again
    const type = types[path.split(".").pop()] ?? "application/octet-stream";
    return new Response(bytes, { headers: { "Content-Type": type } });
  }

  // A wrong file may come from the browser's cache: ask the server for it once more.
  async fetch(path) {
    const name = path.split("/").pop();
    for (const cache of ["default", "reload"]) {
      const bytes = await this.read(path, cache).catch(() => {
        throw new Refusal(`${name} did not arrive`);
      });
      if (!subtle || (await hash(bytes)) === this.listed[path].integrity) return bytes;
    }
    throw new Refusal(`${name} is damaged`);
  }

  async read(path, cache) {
    const { bytes, integrity } = this.listed[path];
    this.left[path] = bytes;
    // Over plain http there is no crypto.subtle, but fetch can check the hash.
    const answer = await fetchAnything(this.root + path, subtle ? { cache } : { cache, integrity });
    if (!answer.ok) throw new Error(answer.statusText);
    const parts = [];
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      this.left[path] = Math.max(0, this.left[path] - value.length);
      this.tell(Object.values(this.left).reduce((total, some) => total + some, 0));
    }
    this.left[path] = 0;
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }
}
