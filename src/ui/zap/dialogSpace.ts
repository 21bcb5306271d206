/**
 * How much a modal dialog of VS Code shows. It is 450 pixels wide whatever the window is, its lines are 20 pixels high, and what
 * does not fit is cut off or has to be scrolled for. Counted for a window of 640 pixels, the least that VS Code is made for.
 */
const CHARACTERS_PER_LINE = 48;
const LINES = 23;

/** How many lines a text takes in a dialog; words are not broken unless they are longer than a line. */
export function linesOf(text: string): number {
  return text.split('\n').reduce((sum, line) => sum + wrappedLines(line), 0);
}

/** Whether a text can be read in a dialog without scrolling. */
export function fitsDialog(text: string): boolean {
  return linesOf(text) <= LINES;
}

/** The first of the texts that fits into a dialog; where none does, the last one. */
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
