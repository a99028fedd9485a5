// The service worker: without the server, the page opens with its own files. They are kept by edition,
// which names the version, the page and the game; site.json tells it. Answers are kept by data.js, under
// the same name, so those of another edition are never shown.

const NAME = "gpu-wordle ";
const SITE = "site.json";
const SHELL = "./";
const DATA = "data/"; // the answers of an exported site

self.addEventListener("install", (event) => event.waitUntil(begin()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { scope } = self.registration;
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  const path = request.mode === "navigate" ? SHELL : request.url.slice(scope.length);
  if (path.startsWith("api/") || path.startsWith("openapi")) return;
  event.respondWith(answer(event, path));
});

async function begin() {
  await keepEdition(await fetch(SITE, { cache: "no-store" }));
  await self.skipWaiting();
}

// The network first, so that nothing old is shown while there is something new.
async function answer(event, path) {
  try {
    const response = await fetch(path === SHELL ? SHELL : event.request);
    if (path === SITE) event.waitUntil(keepEdition(response.clone()).catch(() => {}));
    if (path.startsWith(DATA) && response.ok) event.waitUntil(keepData(path, response.clone()).catch(() => {}));
    return response;
  } catch {
    return (await kept())?.match(path, { ignoreSearch: true }).then((found) => found ?? Response.error()) ?? Response.error();
  }
}

// Keep the page of a new edition whole, and only then let go of the one before.
async function keepEdition(response) {
  if (!response.ok) return;
  const site = await response.clone().json();
  if ((site.compiled ?? 1) !== 1) return;
  const name = NAME + site.edition;
  const cache = await caches.open(name);
  if (await cache.match(SITE)) return;
  await cache.addAll([SHELL, ...site.files]);
  await cache.put(SITE, response);
  const others = (await caches.keys()).filter((each) => each.startsWith(NAME) && each !== name);
  await Promise.all(others.map((each) => caches.delete(each)));
}

// A file of answers is kept if the site is still of the edition that is kept.
async function keepData(path, response) {
  const [cache, site] = [await kept(), await fetch(SITE, { cache: "no-store" })];
  const before = await cache?.match(SITE);
  if (before && (await before.json()).edition === (await site.json()).edition) await cache.put(path, response);
}

// The cache of the edition that is whole.
async function kept() {
  for (const name of await caches.keys()) {
    const cache = name.startsWith(NAME) ? await caches.open(name) : null;
    if (await cache?.match(SITE)) return cache;
  }
  return null;
}
