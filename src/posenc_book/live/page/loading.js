// Every file of the runtime comes through here: counted, so that the page can say how much is left,
// and compared with its hash, so that a damaged one is refused before it is used.

const fetchAnything = self.fetch.bind(self);
const subtle = self.crypto?.subtle;

export class Refusal extends Error {}

const hash = async (bytes) => {
  const digest = new Uint8Array(await subtle.digest("SHA-256", bytes));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
};
const types = { wasm: "application/wasm", mjs: "text/javascript", json: "application/json" };

export class Files {
  // `listed` is what runtime.json says of each file; `tell` hears how many bytes are still to come.
  constructor(root, listed, tell) {
    Object.assign(this, { root, listed, tell, coming: {}, left: {} });
    this.failure = new Promise((_, reject) => {
      this.refuse = reject;
    });
    this.failure.catch((error) => {
      this.failed = error;
    });
    // Pyodide fetches its files itself: let it have them from here.
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
    this.coming[path] = undefined; // it is kept no longer than until it is used
    const type = types[path.split(".").pop()] ?? "application/octet-stream";
    return new Response(bytes, { headers: { "Content-Type": type } });
  }

  // A wrong file may be an old one that the browser kept: ask the server for it once more.
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
    // Over plain http there is no crypto.subtle, but the browser compares a hash that it is given.
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
