import { withoutLinks } from '../base/text';

/** Controls and invisible formatting, such as marks that reverse the direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu;
const LONGEST = 200;

/** Gives text that came from an RPC fit for one line of a message or the log: plain, and cut. */
export function oneLine(text: string): string {
  const characters = Array.from(
    withoutLinks(
      text
        .slice(0, 4 * LONGEST)
        .replace(UNSEEN, ' ')
        .trim(),
    ),
  );
  return characters.length <= LONGEST ? characters.join('') : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
