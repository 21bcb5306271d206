const ID = 'announcements';

/** Announces a text to screen readers, politely. A later text replaces one that was not spoken yet. */
export function announce(text: string): void {
  const place = document.getElementById(ID) ?? document.body.appendChild(made());
  // A repeated text is announced again only if the content changes.
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
