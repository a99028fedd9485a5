// Announces visible changes of the page to screen readers.

const PAUSE_MS = 400;

let waiting = 0;

// Whether answers are shown that the server gave before, since it does not answer now.
export function showOffline(isOffline) {
  document.getElementById("offline").hidden = !isOffline;
}

// Only the last of several messages in a row is announced, since tightening values never stop.
export function say(text) {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    document.getElementById("said").textContent = text;
  }, PAUSE_MS);
}
