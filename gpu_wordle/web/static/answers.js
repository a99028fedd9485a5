// Answers of the server that the browser keeps for when it is away: by edition, as worker.js keeps the page.

const MOST_KEPT = 300;

function cacheOf(site) {
  return "caches" in self ? caches.open(`gpu-wordle ${site.edition}`) : null; // only where the page is secure
}

export async function keepAnswer(site, address, said) {
  const cache = await cacheOf(site);
  if (!cache) return;
  await cache.put(address, new Response(JSON.stringify(said), { headers: { "Content-Type": "application/json" } }));
  const answers = (await cache.keys()).filter(({ url }) => url.includes("/api/"));
  await Promise.all(answers.slice(0, Math.max(0, answers.length - MOST_KEPT)).map((each) => cache.delete(each)));
}

// What was answered before; null if it was not asked.
export async function answerBefore(site, address) {
  const found = await (await cacheOf(site))?.match(address);
  return (await found?.json()) ?? null;
}
