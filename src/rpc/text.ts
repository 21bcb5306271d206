import { oneLine as shortened } from '../base/text';

const LONGEST = 200;

/** Makes text from an RPC fit for one line of a message or the log. An RPC has no reason to send emoji, so their joiner (U+200D) is removed too. */
export function oneLine(text: string): string {
  return shortened(text.replaceAll('\u200d', ' '), LONGEST);
}
