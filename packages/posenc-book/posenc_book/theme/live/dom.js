// The elements that a selector finds.
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Create an element.
export const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

// Create an element of SVG, whose properties are attributes.
export const shape = (kind, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

// What an action gives with what this browser keeps, or nothing where it keeps nothing.
export const kept = (action) => {
  try {
    return action(localStorage);
  } catch {
    return undefined;
  }
};
