const ID = 'announcements';

/** Has a screen reader say this when it has time to. Only one such place is on the page; what comes later goes before what was not said. */
export function announce(text: string): void {
  const place = document.getElementById(ID) ?? document.body.appendChild(made());
  // The same words again are said again only if something changes.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

function made(): HTMLElement {
  const place = document.createElement('div');
  place.id = ID;
  place.className = 'visually-hidden';
  place.setAttribute('role', 'status');
  place.setAttribute('aria-live', 'polite');
  return place;
}
