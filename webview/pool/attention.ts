/** Brings the distribution to where it is looked at, with the keyboard on it: planning has begun, maybe far below. */
export function attendToDistribution(): void {
  document.querySelector('.distribution-card')?.scrollIntoView({ block: 'start' });
  document.querySelector<HTMLElement>('.distribution-cursor')?.focus({ preventScroll: true });
}

/** Puts the keyboard on the button by which planning begins: what it was on is gone with the plan. */
export function attendToPlanButton(): void {
  document.querySelector<HTMLElement>('.plan-button')?.focus({ preventScroll: true });
}
