// Announces visible changes of the page to screen readers.

const PAUSE_MS = 400;

let waiting = 0;

// Only the last of several messages in a row is announced, since tightening values never stop.
export function say(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    document.getElementById("said").textContent = text;
  }, PAUSE_MS);
}
