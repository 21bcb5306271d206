import { once } from 'node:events';
import { type Line, linesOf } from './lines';

/**
 * Writes the answer to each line of standard input as a line of JSON, in the same order, and waits where the reader is slow.
 * @param answer `undefined`: the line has none
 */
export async function answerLines(answer: (line: Line) => object | undefined): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader closed the pipe.
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
  for await (const line of linesOf(process.stdin)) {
    const answered = answer(line);
    if (answered !== undefined && !process.stdout.write(`${JSON.stringify(answered)}\n`)) {
      await once(process.stdout, 'drain');
    }
  }
}

/** Some shells write it before the first line. */
const BYTE_ORDER_MARK = /^\ufeff/;

/**
 * Reads a line as JSON.
 * @throws SyntaxError with a message that repeats nothing of the line, which may contain a key
 */
export function parsedLine(line: Line): unknown {
  if (line === undefined) {
    throw new SyntaxError('The line is too long');
  }
  try {
    return JSON.parse(line.replace(BYTE_ORDER_MARK, ''));
  } catch {
    throw new SyntaxError('The line is not JSON');
  }
}
