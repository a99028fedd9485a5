// Create elements. Data always becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

// An element. Attributes that are null or false are left out. `on` holds listeners by event, and
// `vars` custom properties of CSS: the policy of the page forbids style attributes.
export function h(tag, attributes, ...children) {
  return made(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return made(document.createElementNS(SVG, tag), attributes, children);
}

function made(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) set(element, name, value);
  element.append(...kept(children));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "on") {
    for (const [event, heard] of Object.entries(value)) element.addEventListener(event, heard);
  } else if (name === "vars") {
    for (const [key, each] of Object.entries(value)) element.style.setProperty(`--${key}`, each);
  } else if (name === "data") {
    Object.assign(element.dataset, value);
  } else {
    element.setAttribute(name, value === true ? "" : value);
  }
}

export function fill(place, ...children) {
  place.replaceChildren(...kept(children));
  return place;
}

function kept(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

export function button(label, pressed, attributes) {
  return h("button", { type: "button", on: { click: pressed }, ...attributes }, label);
}

let labels = 0;

// A label and its control, one above the other.
export function field(label, control, hint) {
  if (!control.id) {
    labels += 1;
    control.id = `field-${labels}`;
  }
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, hint && h("small", {}, hint));
}

// A select. Options are values, or pairs of a value and its label.
export function select(options, chosen, changed, attributes) {
  const made = options.map((option) => {
    const [value, shown] = Array.isArray(option) ? option : [option, option];
    return h("option", { value, selected: value === chosen }, shown);
  });
  return h("select", { on: { change: (event) => changed(event.target.value) }, ...attributes }, made);
}

export function isTyping(event) {
  return event.target.closest?.("input, textarea, select, dialog, [contenteditable]") !== null;
}
