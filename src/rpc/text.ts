import { oneLine as shortened } from '../base/text';

const LONGEST = 200;

/** Prepares text from an RPC for one line of a message or the log. An RPC has no reason to send emoji, so their joiner (U+200D) goes as well. */
export function oneLine(text: string): string {
  return shortened(text.replaceAll('\u200d', ' '), LONGEST);
}
