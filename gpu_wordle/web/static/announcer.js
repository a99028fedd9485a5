// What a screen reader is told of changes that are seen elsewhere on the page.

const PAUSE_MS = 400;

let waiting = 0;

// Only the last of several in a row is said: values that tighten would never stop talking.
export function say(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    document.getElementById("said").textContent = text;
  }, PAUSE_MS);
}
