import type { SavedText } from '../../../src/ui/shell/editorAccess';

/** A file as one reads it. */
export type ReadableFile = Omit<SavedText, 'text'> & { readonly text: string };

/** A saved file with its text, which may have been encoded. */
export function readable(file: SavedText): ReadableFile {
  const { text } = file;
  return { ...file, text: typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text) };
}
