/**
 * Size of VS Code's modal dialog in characters and lines. It is 450 pixels wide in any window, its lines are 20 pixels high, and what does
 * not fit is cut off or scrolled. Counted in a window 640 pixels high, the smallest that VS Code is made for.
 */
const CHARACTERS_PER_LINE = 48;
const LINES = 23;

/** Lines that a text takes in a dialog. A word is broken only where it is longer than a line. */
export function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + wrappedLines(line), 0);
}

/** Whether a dialog shows the whole text without scrolling. */
export function fitsDialog(text: string): boolean {
  return linesOf(text) <= LINES;
}

/** The first of the texts that fits into a dialog, or the last one. */
export function firstThatFits(texts: readonly [() => string, ...(() => string)[]]): string {
  let text = '';
  for (const write of texts) {
    text = write();
    if (fitsDialog(text)) {
      break;
    }
  }
  return text;
}

function wrappedLines(line: string): number {
  let lines = 1;
  let used = 0;
  for (const word of line.split(' ')) {
    const needed = used === 0 ? word.length : used + 1 + word.length;
    if (needed <= CHARACTERS_PER_LINE) {
      used = needed;
    } else {
      lines += (used === 0 ? 0 : 1) + Math.ceil(word.length / CHARACTERS_PER_LINE) - 1;
      used = word.length % CHARACTERS_PER_LINE;
    }
  }
  return lines;
}
