/** The text with a period at its end, unless it ends like a sentence already. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
